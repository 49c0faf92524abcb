package io.tidemark.server.http;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * The one place where HTTP servers are made. The JDK's server takes its bounds from properties that it reads once, before
 * the first server: whoever makes one elsewhere has none of them, and a client that sends half a request holds a thread
 * for good.
 */
public final class HttpServers {
    static {
        System.setProperty("jdk.httpserver.maxConnections", "256");
        System.setProperty("sun.net.httpserver.maxReqTime", "10");
        System.setProperty("sun.net.httpserver.maxRspTime", "30");
        System.setProperty("sun.net.httpserver.nodelay", "true");
    }

    private HttpServers() {}

    /** Listens at an address; serves nothing yet. */
    public static HttpServer listen(InetSocketAddress address, int backlog) throws IOException {
        return HttpServer.create(address, backlog);
    }

    /** A thread for each request, so that those that are slow to come hold up no others. */
    public static ExecutorService threads() {
        return Executors.newThreadPerTaskExecutor(
                Thread.ofVirtual().name("http-", 0).factory());
    }

    /**
     * Whether the request was meant for loopback: a page whose name was made to resolve to it (DNS rebinding) sends that name.
     * Only a browser is fooled so, and it always says a host.
     */
    public static boolean isForThisMachine(HttpExchange exchange) {
        String given = Optional.ofNullable(exchange.getRequestHeaders().getFirst("Host"))
                .orElse("localhost");
        String host = given.replaceFirst(":\\d*$", "");
        if (host.equalsIgnoreCase("localhost")) {
            return true;
        }
        try {
            return InetAddress.ofLiteral(host.replaceFirst("^\\[(.*)]$", "$1")).isLoopbackAddress();
        } catch (IllegalArgumentException _) {
            return false;
        }
    }
}
