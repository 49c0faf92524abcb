package io.tidemark.server.replay;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * The three verbs of an engine on a chain of blocks: look up the longest cached prefix, load it, store what is missing.
 *
 * <p>Commands are pipelined; at most {@link #window} replies are unread, so that they and the commands behind them fit the
 * socket buffers. One connection, one thread.
 */
final class BlockStore implements AutoCloseable {
    private static final long REPLY_TIMEOUT_MILLIS = 30_000;
    private static final int MAX_WINDOW = 64;
    private static final int WINDOW_BYTES = 2 << 20;
    /** How long a command is sent again that the server cannot do just now, and the pause before each time. */
    private static final long RETRY_MILLIS = 5_000;

    private static final long RETRY_PAUSE_NANOS = 5_000_000;
    private static final String TRY_AGAIN = "TRYAGAIN";
    private static final byte[] EXISTS = ascii("EXISTS");
    private static final byte[] GET = ascii("GET");
    private static final byte[] SET = ascii("SET");
    private static final byte[] TM_PUT = ascii("TM.PUT");
    private static final byte[] PARENT = ascii("PARENT");
    private static final byte[] DEPTH = ascii("DEPTH");
    private static final byte[] TAIL = ascii("TAIL");

    private final RespConnection server;
    private final Dialect dialect;
    private final int blockBytes;
    private final ReplayTally tally;
    private final BlockKeys keys;
    private final BlockContent content = new BlockContent();
    private final MemorySegment received;

    private BlockStore(RespConnection server, Dialect dialect, int blockBytes, ReplayTally tally) {
        this.server = server;
        this.dialect = dialect;
        this.blockBytes = blockBytes;
        this.tally = tally;
        this.keys = new BlockKeys(blockBytes);
        this.received = MemorySegment.ofBuffer(ByteBuffer.allocateDirect(blockBytes));
    }

    /** Connects and asks the server which puts it understands. */
    static BlockStore open(Endpoint endpoint, int blockBytes, ReplayTally tally) throws IOException {
        RespConnection server = RespConnection.open(endpoint, blockBytes, REPLY_TIMEOUT_MILLIS);
        try {
            return new BlockStore(server, Dialect.of(server), blockBytes, tally);
        } catch (IOException e) {
            server.close();
            throw e;
        }
    }

    /** Number of leading blocks of the chain that the server says it has. */
    int lookUp(Chain chain) throws IOException {
        for (int from = 0; from < chain.length(); from += MAX_WINDOW) {
            int until = Math.min(chain.length(), from + MAX_WINDOW);
            for (int i = from; i < until; i++) {
                keyed(2, EXISTS, chain.block(i));
            }
            server.flush();
            int present = leadingPresent(until - from);
            if (present < until - from) {
                return from + present;
            }
        }
        return chain.length();
    }

    /**
     * Loads and checks the first {@code count} blocks. Answers how many of them, from the root, came. What the server refuses for
     * the moment is asked for again once the others are there: a refusal is no miss.
     */
    int load(Chain chain, int count) throws IOException {
        int window = window();
        int sent = 0;
        int loaded = count;
        List<Integer> refused = new ArrayList<>();
        for (int next = 0; next < count; next++) {
            if (sent - next <= window / 2) {
                for (; sent < Math.min(count, next + window); sent++) {
                    keyed(2, GET, chain.block(sent));
                }
                server.flush();
            }
            switch (take(chain.block(next))) {
                case CAME -> {}
                case MISSED -> loaded = Math.min(loaded, next);
                case REFUSED -> refused.add(next);
            }
        }
        for (int index : refused) {
            if (!loadAgain(chain.block(index))) {
                loaded = Math.min(loaded, index);
            }
        }
        return loaded;
    }

    private boolean loadAgain(long block) throws IOException {
        for (long end = deadline(); System.nanoTime() - end < 0; ) {
            pause();
            keyed(2, GET, block);
            server.flush();
            Taken taken = take(block);
            if (taken != Taken.REFUSED) {
                return taken == Taken.CAME;
            }
        }
        throw new IOException("the server refused a read for " + RETRY_MILLIS + " ms");
    }

    private static long deadline() {
        return System.nanoTime() + RETRY_MILLIS * 1_000_000;
    }

    private void pause() {
        tally.retries.increment();
        LockSupport.parkNanos(RETRY_PAUSE_NANOS);
    }

    /** Stores the chain from block {@code from} on; refused blocks are counted. */
    void store(Chain chain, int from) throws IOException {
        int window = window();
        int answered = from;
        List<Integer> refused = new ArrayList<>();
        for (int i = from; i < chain.length(); i++) {
            put(chain, i, chain.isIncompleteTail(i));
            if (i + 1 - answered == window) {
                answered = takeAnswers(answered, i + 1 - window / 2, refused);
            }
        }
        takeAnswers(answered, chain.length(), refused);
        for (int index : refused) {
            storeAgain(chain, index);
        }
    }

    private void storeAgain(Chain chain, int index) throws IOException {
        List<Integer> refused = new ArrayList<>(List.of(index));
        for (long end = deadline(); !refused.isEmpty() && System.nanoTime() - end < 0; ) {
            refused.clear();
            pause();
            put(chain, index, chain.isIncompleteTail(index));
            takeAnswers(index, index + 1, refused);
        }
        if (!refused.isEmpty()) {
            throw new IOException("the server refused a put for " + RETRY_MILLIS + " ms");
        }
    }

    /** What the server tells of itself now. */
    ServerInfo info() throws IOException {
        return ServerInfo.read(server);
    }

    @Override
    public void close() throws IOException {
        server.close();
    }

    private int window() {
        return Math.clamp(WINDOW_BYTES / blockBytes, 2, MAX_WINDOW);
    }

    private void keyed(int arguments, byte[] name, long block) throws IOException {
        server.command(arguments);
        server.argument(name);
        server.argument(keys.of(block));
    }

    private int leadingPresent(int replies) throws IOException {
        int present = 0;
        boolean leading = true;
        for (int i = 0; i < replies; i++) {
            Reply reply = server.read();
            if (!(reply instanceof Reply.Int number)) {
                throw new ServerRefusedException("EXISTS", reply);
            }
            leading &= number.value() == 1;
            present += leading ? 1 : 0;
        }
        return present;
    }

    /** What came of a read. */
    private enum Taken {
        CAME,
        MISSED,
        REFUSED
    }

    /** Takes one value and checks its bytes and its length. */
    private Taken take(long block) throws IOException {
        long length;
        try {
            length = server.readValue(received);
        } catch (ServerRefusedException e) {
            if (e.code().equals(TRY_AGAIN)) {
                return Taken.REFUSED;
            }
            throw e;
        }
        if (length < 0) {
            tally.failedLoads.increment();
            return Taken.MISSED;
        }
        MemorySegment got = received.asSlice(0, Math.min(length, blockBytes));
        long wrong = content.wrongBytes(got, block) + Math.abs(blockBytes - length);
        tally.wrongBytes.add(wrong);
        tally.bytesLoaded.add(length);
        return Taken.CAME;
    }

    private void put(Chain chain, int index, boolean tail) throws IOException {
        boolean hints = dialect == Dialect.TIDEMARK;
        boolean parent = hints && index > 0;
        keyed(
                3 + (parent ? 2 : 0) + (hints ? 2 : 0) + (hints && tail ? 1 : 0),
                hints ? TM_PUT : SET,
                chain.block(index));
        content.fill(server.value(blockBytes), chain.block(index));
        if (parent) {
            server.argument(PARENT);
            server.argument(keys.of(chain.block(index - 1)));
        }
        if (hints) {
            server.argument(DEPTH);
            server.argument(index);
            if (tail) {
                server.argument(TAIL);
            }
        }
    }

    private int takeAnswers(int from, int until, List<Integer> refused) throws IOException {
        server.flush();
        for (int i = from; i < until; i++) {
            Reply reply = server.read();
            switch (reply) {
                case Reply.Status _ -> {
                    tally.storedBlocks.increment();
                    tally.bytesStored.add(blockBytes);
                }
                case Reply.Failure failure when failure.code().equals("OOM") -> tally.refusedPuts.increment();
                case Reply.Failure failure when failure.code().equals(TRY_AGAIN) -> refused.add(i);
                default -> throw new ServerRefusedException("a put of " + blockBytes + " bytes", reply);
            }
        }
        return until;
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
