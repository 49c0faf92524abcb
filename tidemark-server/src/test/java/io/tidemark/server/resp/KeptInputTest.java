package io.tidemark.server.resp;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.Random;
import org.junit.jupiter.api.Test;

class KeptInputTest {
    private static final long MIB = 1 << 20;

    @Test
    void givesBytesBackInTheOrderInWhichTheyCame() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        ReadAhead account = new ReadAhead(64 * MIB);
        KeptInput kept = new KeptInput(account);
        ByteArrayOutputStream given = new ByteArrayOutputStream();
        ByteArrayOutputStream taken = new ByteArrayOutputStream();
        for (int round = 0; round < 2_000; round++) {
            byte[] bytes = new byte[random.nextInt(20_000)];
            random.nextBytes(bytes);
            int accepted = kept.isEmpty() ? bytes.length : Math.min(bytes.length, kept.room());
            given.write(bytes, 0, accepted);
            if (kept.isEmpty()) {
                kept.keep(ByteBuffer.wrap(bytes));
            } else {
                kept.append(ByteBuffer.wrap(bytes, 0, accepted));
            }
            byte[] out = new byte[random.nextInt(kept.bytes().remaining() + 1)];
            kept.bytes().get(out);
            taken.writeBytes(out);
        }
        byte[] rest = new byte[kept.bytes().remaining()];
        kept.bytes().get(rest);
        taken.writeBytes(rest);
        assertThat(taken.toByteArray()).as("seed %d", seed).isEqualTo(given.toByteArray());
        kept.clear();
        assertThat(account.bytes()).isZero();
    }

    @Test
    void takesNoMoreThanItsOwnBoundNorThanTheServers() {
        KeptInput kept = new KeptInput(new ReadAhead(64 * MIB));
        assertThat(fill(kept)).isEqualTo(KeptInput.MAX_BYTES);
        assertThat(fill(new KeptInput(new ReadAhead(MIB)))).isLessThanOrEqualTo((int) MIB);
    }

    private static int fill(KeptInput kept) {
        kept.keep(ByteBuffer.allocate(1));
        for (int room = kept.room(); room > 0; room = kept.room()) {
            kept.append(ByteBuffer.allocate(Math.min(room, 16_384)));
        }
        return kept.bytes().remaining();
    }
}
