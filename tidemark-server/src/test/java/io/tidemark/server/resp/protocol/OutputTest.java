package io.tidemark.server.resp.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.GatheringByteChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class OutputTest {
    /** Takes at most so many bytes a write, then none until told to go on. */
    private static final class StingyChannel implements GatheringByteChannel {
        private final ByteArrayOutputStream taken = new ByteArrayOutputStream();
        private int allowance;

        @Override
        public long write(ByteBuffer[] sources, int offset, int length) {
            long written = 0;
            for (int i = offset; i < offset + length; i++) {
                while (sources[i].hasRemaining() && allowance > 0) {
                    taken.write(sources[i].get());
                    allowance--;
                    written++;
                }
            }
            return written;
        }

        @Override
        public long write(ByteBuffer[] sources) {
            return write(sources, 0, sources.length);
        }

        @Override
        public int write(ByteBuffer source) {
            return (int) write(new ByteBuffer[] {source});
        }

        @Override
        public boolean isOpen() {
            return true;
        }

        @Override
        public void close() {}
    }

    private static final class Hold implements Held {
        private int progress;
        private int closes;

        @Override
        public void progressed() {
            progress++;
        }

        @Override
        public void close() {
            closes++;
        }
    }

    private final StingyChannel channel = new StingyChannel();
    private final Output output = new Output(new LoopBuffers(new ReplyMemory(1 << 24)), () -> false);

    private static MemorySegment segment(byte[] bytes) {
        return MemorySegment.ofArray(bytes);
    }

    @Test
    void holdsAValueUntilItsLastByteHasLeft() throws IOException {
        Hold hold = new Hold();
        output.put(new byte[] {1});
        output.attach(List.of(segment(new byte[] {2, 3}), segment(new byte[] {4})), hold);
        output.put(new byte[] {5});
        assertThat(output.pendingBytes()).isEqualTo(5);
        channel.allowance = 3;
        assertThat(output.flush(channel)).isEqualTo(3);
        assertThat(hold.progress).isPositive();
        assertThat(hold.closes).isZero();
        channel.allowance = 1;
        output.flush(channel);
        assertThat(hold.closes).isEqualTo(1);
        channel.allowance = 9;
        output.flush(channel);
        assertThat(output.pendingBytes()).isZero();
        assertThat(channel.taken.toByteArray()).containsExactly(1, 2, 3, 4, 5);
    }

    @Test
    void letsGoOfAnEmptyValueAtOnceAndOfTheRestWhenClosed() {
        Hold empty = new Hold();
        Hold held = new Hold();
        output.attach(List.of(), empty);
        output.attach(List.of(segment(new byte[10])), held);
        assertThat(empty.closes).isEqualTo(1);
        output.close();
        assertThat(held.closes).isEqualTo(1);
        assertThat(output.pendingBytes()).isZero();
    }

    @Test
    void sendsEveryByteInOrderHoweverTheChannelTakesThem() throws IOException {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        ByteArrayOutputStream expected = new ByteArrayOutputStream();
        List<Hold> holds = new ArrayList<>();
        for (int round = 0; round < 3_000; round++) {
            byte[] bytes = new byte[random.nextInt(random.nextInt(20) == 0 ? 40_000 : 60)];
            random.nextBytes(bytes);
            expected.writeBytes(bytes);
            if (random.nextInt(3) == 0) {
                holds.add(new Hold());
                output.attach(List.of(segment(bytes)), holds.getLast());
            } else {
                output.put(bytes);
            }
            channel.allowance = random.nextInt(2_000);
            output.flush(channel);
        }
        channel.allowance = Integer.MAX_VALUE;
        output.flush(channel);
        assertThat(output.pendingBytes()).isZero();
        assertThat(channel.taken.toByteArray()).as("seed %d", seed).isEqualTo(expected.toByteArray());
        assertThat(holds).allMatch(hold -> hold.closes == 1);
    }

    @Test
    void progressOfTheFirstPieceIsProgressOfThoseBehindIt() throws IOException {
        Hold first = new Hold();
        Hold second = new Hold();
        output.attach(List.of(segment(new byte[10])), first);
        output.attach(List.of(segment(new byte[10])), second);
        channel.allowance = 1;
        output.flush(channel);
        assertThat(first.progress).isPositive();
        assertThat(second.progress).isPositive();
    }

    @Test
    void aServersRepliesTakeNoMoreChunksThanItHasAndOneThatMakesRoomGoesOn() {
        ReplyMemory memory = new ReplyMemory(3 * ReplyMemory.CHUNK_BYTES);
        Output unread = new Output(new LoopBuffers(memory), () -> false);
        unread.put(new byte[2 * ReplyMemory.CHUNK_BYTES]);
        LoopBuffers loop = new LoopBuffers(memory);
        Output alone = new Output(loop, () -> false);
        assertThatThrownBy(() -> alone.put(new byte[2 * ReplyMemory.CHUNK_BYTES]))
                .isInstanceOf(ReplyMemoryException.class);
        alone.close();
        loop.close();
        LoopBuffers shared = new LoopBuffers(memory);
        Output owing = new Output(shared, () -> false);
        owing.put((byte) 1);
        Output other = new Output(shared, () -> {
            owing.close();
            return true;
        });
        assertThat(memory.lentBytes()).isLessThanOrEqualTo(3L * ReplyMemory.CHUNK_BYTES);
        other.put(new byte[100]);
        assertThat(other.pendingBytes()).isEqualTo(100);
    }
}
