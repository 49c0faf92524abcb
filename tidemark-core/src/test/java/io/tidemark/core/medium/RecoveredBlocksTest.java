package io.tidemark.core.medium;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RecoveredBlocksTest {
    /** Enough for two threads; they take 512 at a time. */
    private static final int BLOCKS = 40 * 512;

    private static final int GROUP = 512;

    private static RecoveredBlocks blocks() throws SysException {
        RecordLog log = new RecordLog(NativeSys.INSTANCE);
        long[] positions = new long[BLOCKS];
        for (int slot = 0; slot < BLOCKS; slot++) {
            byte[] key = ("key-" + slot).getBytes(StandardCharsets.US_ASCII);
            BlockRecord record = new BlockRecord(1L << 32 | slot, slot + 1, 1, key, new int[] {slot, 1}, new int[] {7});
            ByteBuffer frame = ByteBuffer.allocate(record.bytes()).order(ByteOrder.LITTLE_ENDIAN);
            record.encode(frame);
            positions[slot] = log.append(frame.flip());
        }
        return new RecoveredBlocks(log, new SlabPlan(positions, new int[0], new int[0], BLOCKS, BLOCKS, BLOCKS));
    }

    /** Takes every second copy; the first visitor of share 0 that is shown one waits until others were shown the rest. */
    private static final class Shares implements RecoveredCopies {
        private final AtomicIntegerArray taken = new AtomicIntegerArray(BLOCKS);
        private final AtomicBoolean held = new AtomicBoolean();
        private final CountDownLatch rest = new CountDownLatch(BLOCKS - GROUP);
        private final AtomicInteger ended = new AtomicInteger();

        @Override
        public List<RecoveredCopies> shares(int most) {
            assertThat(most).isGreaterThanOrEqualTo(2);
            return IntStream.range(0, 2).<RecoveredCopies>mapToObj(Share::new).toList();
        }

        @Override
        public void copy(long copy, byte[] key, long generation, long lengthBytes) {
            throw new AssertionError("only shares are shown copies");
        }

        private final class Share implements RecoveredCopies {
            private final int number;
            private boolean holds;

            Share(int number) {
                this.number = number;
            }

            @Override
            public void copy(long copy, byte[] key, long generation, long lengthBytes) {
                int slot = (int) copy;
                assertThat(new String(key, StandardCharsets.US_ASCII)).isEqualTo("key-" + slot);
                if (slot % 2 == number) {
                    taken.incrementAndGet(slot);
                }
                if (number > 0) {
                    return;
                }
                if (held.compareAndSet(false, true)) {
                    holds = true;
                    awaitRest();
                } else if (!holds) {
                    rest.countDown();
                }
            }

            private void awaitRest() {
                try {
                    assertThat(rest.await(20, TimeUnit.SECONDS))
                            .as("others do the rest")
                            .isTrue();
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            }

            @Override
            public void end() {
                ended.incrementAndGet();
            }
        }
    }

    @Test
    void theRestOfTheShareOfAThreadThatIsHeldUpIsShownByAnother() throws Exception {
        assumeTrue(Runtime.getRuntime().availableProcessors() >= 2, "one processor: one thread");
        Shares shares = new Shares();
        blocks().show(shares);
        assertThat(IntStream.range(0, BLOCKS).map(shares.taken::get)).allMatch(times -> times == 1);
        assertThat(shares.ended).as("each visitor of each thread").hasValue(4);
    }

    @Test
    void aVisitorWithoutSharesIsShownAllByOneThreadTheYoungestFirst() throws Exception {
        RecoveredBlocks all = blocks();
        long[] last = {Long.MAX_VALUE};
        all.show((copy, key, generation, length) -> {
            assertThat(generation).isLessThan(last[0]);
            last[0] = generation;
        });
        assertThat(last[0]).isEqualTo(1);
    }
}
