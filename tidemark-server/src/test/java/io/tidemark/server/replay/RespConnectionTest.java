package io.tidemark.server.replay;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import org.junit.jupiter.api.Test;

class RespConnectionTest {
    private static final int ANSWER_MILLIS = 5_000;

    @Test
    void aConnectionThatTheServerResetsNamesTheServer() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Endpoint endpoint = Endpoint.parse("redis://127.0.0.1:" + server.getLocalPort());
            try (RespConnection connection = RespConnection.open(endpoint, 0, ANSWER_MILLIS)) {
                Socket accepted = server.accept();
                accepted.setSoLinger(true, 0);
                accepted.close(); // sends a reset
                assertThatThrownBy(() -> connection.call("PING"))
                        .isInstanceOf(IOException.class)
                        .hasMessageContaining("127.0.0.1:" + server.getLocalPort())
                        .hasMessageContaining("ended the connection");
            }
        }
    }
}
