package io.tidemark.server;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/**
 * Answers what the kernel asks the server of a FUSE file system, version 7.31, from the files of a folder: as much of it as a
 * store of blocks needs. What is laid out how stands in the kernel's {@code include/uapi/linux/fuse.h}.
 */
final class FuseFiles {
    private static final int ENOENT = 2;
    private static final int EIO = 5;
    private static final int ENOSYS = 38;
    private static final int HEADER_BYTES = 40;
    private static final int ATTRIBUTE_BYTES = 88;
    private static final int WRITE_BYTES_MAX = 128 << 10;
    private static final int FILE = 0x8000;
    private static final int FOLDER = 0x4000;
    private static final int SETS_SIZE = 8;
    /**
     * Several reads at once, large writes, a number of pages. No asynchronous direct I/O: who waits for that hears no signal,
     * not even SIGKILL.
     */
    private static final int FLAGS = 1 | 1 << 5 | 1 << 18 | 1 << 22;

    /** What can be asked. */
    enum Op {
        LOOKUP(1),
        FORGET(2),
        GETATTR(3),
        SETATTR(4),
        MKDIR(9),
        UNLINK(10),
        OPEN(14),
        READ(15),
        WRITE(16),
        STATFS(17),
        RELEASE(18),
        FSYNC(20),
        FLUSH(25),
        INIT(26),
        OPENDIR(27),
        READDIR(28),
        RELEASEDIR(29),
        CREATE(35),
        INTERRUPT(36),
        DESTROY(38),
        BATCH_FORGET(42),
        /** Anything else. */
        OTHER(-1);

        private final int code;

        Op(int code) {
            this.code = code;
        }

        static Op of(int code) {
            return Stream.of(values()).filter(op -> op.code == code).findFirst().orElse(OTHER);
        }

        /** Whether the kernel wants an answer. */
        boolean isAnswered() {
            return this != FORGET && this != BATCH_FORGET && this != INTERRUPT;
        }
    }

    /** What the kernel gets: bytes, or an error number. */
    record Answer(int errno, ByteBuffer bytes) {
        static Answer failed(int errno) {
            return new Answer(errno, ByteBuffer.allocate(0));
        }

        static Answer of(ByteBuffer bytes) {
            return new Answer(0, bytes.flip());
        }
    }

    private final Map<Long, Path> paths = new ConcurrentHashMap<>();
    private final Map<Path, Long> nodes = new ConcurrentHashMap<>();
    private final Map<Path, FileChannel> channels = new ConcurrentHashMap<>();
    private final AtomicLong last = new AtomicLong(1);

    FuseFiles(Path folder) {
        paths.put(1L, folder);
        nodes.put(folder, 1L);
    }

    Answer answer(Op op, ByteBuffer request) {
        try {
            return switch (op) {
                case INIT -> init();
                case LOOKUP -> entry(child(request, 0));
                case GETATTR -> attributes(node(request));
                case SETATTR -> setAttributes(request);
                case MKDIR -> entry(Files.createDirectory(child(request, 8)));
                case UNLINK -> unlink(child(request, 0));
                case OPEN, OPENDIR -> Answer.of(buffer(16).putLong(0).putLong(0));
                case CREATE -> create(child(request, 16));
                case READ -> read(request);
                case WRITE -> write(request);
                case STATFS -> space();
                case READDIR -> list(request);
                case FSYNC, FLUSH, RELEASE, RELEASEDIR, DESTROY -> Answer.of(buffer(0));
                case FORGET, BATCH_FORGET, INTERRUPT, OTHER -> Answer.failed(ENOSYS);
            };
        } catch (NoSuchFileException _) {
            return Answer.failed(ENOENT);
        } catch (IOException _) {
            return Answer.failed(EIO);
        }
    }

    private static ByteBuffer buffer(int bytes) {
        return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    private Path node(ByteBuffer request) throws IOException {
        Path path = paths.get(request.getLong(16));
        if (path == null) {
            throw new NoSuchFileException("node " + request.getLong(16));
        }
        return path;
    }

    /** The file whose name stands behind so many bytes of the request. */
    private Path child(ByteBuffer request, int at) throws IOException {
        int from = HEADER_BYTES + at;
        int to = from;
        while (request.get(to) != 0) {
            to++;
        }
        byte[] name = new byte[to - from];
        request.get(from, name);
        return node(request).resolve(new String(name, StandardCharsets.UTF_8));
    }

    private static Answer init() {
        ByteBuffer out = buffer(64);
        out.putInt(7).putInt(31).putInt(WRITE_BYTES_MAX).putInt(FLAGS);
        out.putShort((short) 64).putShort((short) 48).putInt(WRITE_BYTES_MAX).putInt(1);
        out.putShort((short) (WRITE_BYTES_MAX / 4096)).position(64);
        return Answer.of(out);
    }

    private static void putAttributes(ByteBuffer out, long node, Path path) throws IOException {
        if (!Files.exists(path)) {
            throw new NoSuchFileException(path.toString());
        }
        boolean folder = Files.isDirectory(path);
        long bytes = folder ? 0 : Files.size(path);
        out.putLong(node).putLong(bytes).putLong(Math.ceilDiv(bytes, 512L));
        out.putLong(0).putLong(0).putLong(0).putInt(0).putInt(0).putInt(0);
        out.putInt(folder ? FOLDER | 0700 : FILE | 0600).putInt(folder ? 2 : 1);
        out.putInt(0).putInt(0).putInt(0).putInt(4096).putInt(0);
    }

    private Answer attributes(Path path) throws IOException {
        ByteBuffer out = buffer(16 + ATTRIBUTE_BYTES).putLong(1).putLong(0);
        putAttributes(out, nodes.getOrDefault(path, 0L), path);
        return Answer.of(out);
    }

    private ByteBuffer putEntry(ByteBuffer out, Path path) throws IOException {
        if (!Files.exists(path)) {
            throw new NoSuchFileException(path.toString());
        }
        long node = nodes.computeIfAbsent(path, _ -> last.incrementAndGet());
        paths.put(node, path);
        out.putLong(node).putLong(1).putLong(1).putLong(1).putLong(0);
        putAttributes(out, node, path);
        return out;
    }

    private Answer entry(Path path) throws IOException {
        return Answer.of(putEntry(buffer(40 + ATTRIBUTE_BYTES), path));
    }

    private Answer create(Path path) throws IOException {
        channel(path);
        return Answer.of(
                putEntry(buffer(40 + ATTRIBUTE_BYTES + 16), path).putLong(0).putLong(0));
    }

    private FileChannel channel(Path path) throws IOException {
        FileChannel open = channels.get(path);
        if (open == null) {
            FileChannel made = new RandomAccessFile(path.toFile(), "rw").getChannel();
            open = channels.putIfAbsent(path, made);
            if (open == null) {
                return made;
            }
            made.close();
        }
        return open;
    }

    private Answer setAttributes(ByteBuffer request) throws IOException {
        Path path = node(request);
        if ((request.getInt(HEADER_BYTES) & SETS_SIZE) != 0) {
            long bytes = request.getLong(HEADER_BYTES + 16);
            FileChannel file = channel(path);
            if (bytes < file.size()) {
                file.truncate(bytes);
            } else if (bytes > file.size()) {
                file.write(ByteBuffer.allocate(1), bytes - 1);
            }
        }
        return attributes(path);
    }

    private Answer unlink(Path path) throws IOException {
        Files.delete(path);
        nodes.remove(path);
        return Answer.of(buffer(0));
    }

    private Answer read(ByteBuffer request) throws IOException {
        ByteBuffer out = buffer(request.getInt(HEADER_BYTES + 16));
        long at = request.getLong(HEADER_BYTES + 8);
        FileChannel file = channel(node(request));
        while (out.hasRemaining()) {
            if (file.read(out, at + out.position()) < 0) {
                break;
            }
        }
        return Answer.of(out);
    }

    private Answer write(ByteBuffer request) throws IOException {
        int bytes = request.getInt(HEADER_BYTES + 16);
        long at = request.getLong(HEADER_BYTES + 8);
        FileChannel file = channel(node(request));
        ByteBuffer data = request.slice(2 * HEADER_BYTES, bytes);
        while (data.hasRemaining()) {
            file.write(data, at + data.position());
        }
        return Answer.of(buffer(8).putInt(bytes).putInt(0));
    }

    private static Answer space() {
        long blocks = 1L << 20;
        ByteBuffer out = buffer(80);
        out.putLong(blocks).putLong(blocks).putLong(blocks).putLong(blocks).putLong(blocks);
        out.putInt(4096).putInt(255).putInt(4096).position(80);
        return Answer.of(out);
    }

    private Answer list(ByteBuffer request) throws IOException {
        Path folder = node(request);
        int from = (int) request.getLong(HEADER_BYTES + 8);
        ByteBuffer out = buffer(request.getInt(HEADER_BYTES + 16));
        List<Path> all;
        try (Stream<Path> files = Files.list(folder)) {
            all = files.sorted().toList();
        }
        for (int i = from; i < all.size(); i++) {
            byte[] name = all.get(i).getFileName().toString().getBytes(StandardCharsets.UTF_8);
            int bytes = Math.ceilDiv(24 + name.length, 8) * 8;
            if (out.remaining() < bytes) {
                break;
            }
            int end = out.position() + bytes;
            out.putLong(nodes.getOrDefault(all.get(i), -1L)).putLong(i + 1L).putInt(name.length);
            out.putInt(Files.isDirectory(all.get(i)) ? FOLDER >> 12 : FILE >> 12)
                    .put(name)
                    .position(end);
        }
        return Answer.of(out);
    }
}
