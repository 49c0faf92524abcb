package io.tidemark.server.replay;

import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketAddress;
import java.net.SocketTimeoutException;
import java.nio.channels.SocketChannel;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Connects with a deadline. A blocking connect on a thread of its own, ended by closing the channel: a non-blocking one to a
 * Unix socket whose backlog is full cannot be waited for.
 */
final class Connecting {
    private Connecting() {}

    /** Connects, or fails after so many milliseconds; the caller closes the channel when it fails. */
    static void connect(SocketChannel channel, SocketAddress address, long timeoutMillis) throws IOException {
        CompletableFuture<Boolean> done = new CompletableFuture<>();
        Thread.ofPlatform().daemon().name("connect").start(() -> {
            try {
                done.complete(channel.connect(address));
            } catch (IOException | RuntimeException e) {
                done.completeExceptionally(e);
            }
        });
        try {
            done.get(timeoutMillis, TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            throw new SocketTimeoutException("not connected within " + timeoutMillis + " ms");
        } catch (ExecutionException e) {
            switch (e.getCause()) {
                case IOException io -> throw io;
                case RuntimeException runtime -> throw runtime;
                case null, default -> throw new IOException(e);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ConnectException("interrupted");
        }
    }
}
