package io.tidemark.server.resp.protocol;

/** What holds queued bytes in place until they have left. */
public interface Held extends AutoCloseable {
    /** Holds nothing. */
    Held NOTHING = new Held() {
        @Override
        public void progressed() {}

        @Override
        public void close() {}
    };

    /** Some of the bytes have left. */
    void progressed();

    /** All have left, or the connection has ended. Called once. */
    @Override
    void close();
}
