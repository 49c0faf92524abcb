package io.tidemark.server.resp;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** Tests of a server that is new for each of them, by a client that is connected to it. */
abstract class OneClientTest {
    ServerUnderTest server;
    RawClient client;

    /** What the server is like. */
    abstract ServerUnderTest.Builder setUp();

    @BeforeEach
    final void start() throws Exception {
        server = setUp().start();
        client = server.client();
    }

    @AfterEach
    final void stop() throws Exception {
        client.close();
        server.close();
    }
}
