package io.tidemark.core.medium;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CyclicBarrier;
import org.junit.jupiter.api.Test;

class IntsTest {
    private static final int CHUNK = 1 << 13;
    private static final int CHUNKS = 2_000;

    /** As two writers of blocks beside each other do where nobody has written before. */
    @Test
    void elementsThatTwoSetBesideEachOtherAreBothThere() throws Exception {
        Ints ints = new Ints(CHUNK * CHUNKS);
        CyclicBarrier both = new CyclicBarrier(2);
        Thread other = Thread.ofPlatform().start(() -> setEach(ints, 1, both));
        setEach(ints, 0, both);
        other.join();
        for (int chunk = 0; chunk < CHUNKS; chunk++) {
            assertThat(ints.get(chunk * CHUNK)).as("chunk %d", chunk).isEqualTo(chunk + 1);
            assertThat(ints.get(chunk * CHUNK + 1)).as("chunk %d", chunk).isEqualTo(chunk + 1);
        }
    }

    private static void setEach(Ints ints, int offset, CyclicBarrier both) {
        for (int chunk = 0; chunk < CHUNKS; chunk++) {
            try {
                both.await();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
            ints.set(chunk * CHUNK + offset, chunk + 1);
        }
    }
}
