package io.tidemark.core.volume;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A path below a rank directory in at most {@link #BYTES_MAX} bytes: those of the {@code fs} layout lose their
 * hexadecimal coding (64 digits become 32 bytes), others are kept as they are if they are short enough. One instance is
 * one scratch pad; not for more than one thread.
 */
final class PackedPath {
    static final int BYTES_MAX = 40;

    private static final int BUCKET_DIGITS = 3;
    private static final int LEAF_DIGITS = 2;
    private static final int HEADER_BYTES = 5;
    private static final int GROUPS_MAX = 65_536;
    /** Length of {@code hhh/hh_g}. */
    private static final int LEAF_START = BUCKET_DIGITS + 1 + LEAF_DIGITS + 2;

    private static final byte[] DIGITS = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] SUFFIX = FsLayout.BLOCK_SUFFIX;

    /** How a path is kept. */
    enum Form {
        /** Bucket, leaf, group and hash as numbers. */
        HASH(0),
        /** The bytes of the path. */
        PLAIN(1),
        /** Too long: kept elsewhere. */
        LONG(2);

        private final byte code;

        Form(int code) {
            this.code = (byte) code;
        }

        byte code() {
            return code;
        }

        static Form of(byte code) {
            return code == HASH.code ? HASH : code == PLAIN.code ? PLAIN : LONG;
        }
    }

    /** No inode, in the low bits of one. */
    private static final int NONE = 0;

    /** What user-space file systems tell that have no inodes, in the low bits. */
    private static final int UNKNOWN = -1;

    private static final VarHandle WORD = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

    private final byte[] bytes = new byte[BYTES_MAX];
    private final byte[] header = new byte[HEADER_BYTES];
    private int length;
    private Form form = Form.LONG;
    private byte[] leafPath = new byte[0];
    private boolean leafPacks;
    private int leafInode;
    private boolean leafTold;

    /** The path of a file that was ready before; which inode its directory has is not known any more. */
    static PackedPath of(VolumeFile file) {
        PackedPath path = new PackedPath();
        if (file.nameStart() == 0) {
            path.noLeaf();
        } else {
            Name bucket = file.bucket();
            path.leaf(bucket, Name.of(file.path(), bucket.length() + 1, file.nameStart() - 1), NONE);
        }
        path.file(file.name());
        return path;
    }

    byte[] bytes() {
        return bytes;
    }

    int length() {
        return length;
    }

    Form form() {
        return form;
    }

    /**
     * Says which directory the next names lie in.
     *
     * @param inode as the listing of the one above has it: 0, all ones, or the same for all where a file system has none
     */
    void leaf(Name bucket, Name leaf, long inode) {
        int low = (int) inode;
        leafTold = low != NONE && low != UNKNOWN && low != leafInode;
        leafInode = low;
        byte[] newPath = new byte[bucket.length() + 1 + leaf.length() + 1];
        bucket.copyTo(newPath, 0);
        newPath[bucket.length()] = '/';
        leaf.copyTo(newPath, bucket.length() + 1);
        newPath[newPath.length - 1] = '/';
        leafPath = newPath;
        leafPacks = packLeaf(bucket, leaf);
    }

    /** Says that the next names lie in the rank directory itself. */
    void noLeaf() {
        leafInode = NONE;
        leafTold = false;
        leafPath = new byte[0];
        leafPacks = false;
    }

    private boolean packLeaf(Name bucket, Name leaf) {
        int groupStart = LEAF_DIGITS + 2;
        if (bucket.length() != BUCKET_DIGITS
                || !bucket.isLowerHex(0, BUCKET_DIGITS)
                || leaf.length() <= groupStart
                || leaf.length() > groupStart + 5
                || !leaf.isLowerHex(0, LEAF_DIGITS)
                || leaf.byteAt(LEAF_DIGITS) != '_'
                || leaf.byteAt(LEAF_DIGITS + 1) != 'g'
                || !leaf.isDecimal(groupStart)
                || (leaf.byteAt(groupStart) == '0' && leaf.length() > groupStart + 1)) {
            return false;
        }
        int group = 0;
        for (int i = groupStart; i < leaf.length(); i++) {
            group = group * 10 + leaf.byteAt(i) - '0';
        }
        header[0] = (byte) Name.lowerHex(bucket.byteAt(0));
        header[1] = hexByte(bucket, 1);
        header[2] = hexByte(leaf, 0);
        header[3] = (byte) (group >> 8);
        header[4] = (byte) group;
        return group < GROUPS_MAX;
    }

    private static byte hexByte(Name name, int index) {
        return (byte) (Name.lowerHex(name.byteAt(index)) << 4 | Name.lowerHex(name.byteAt(index + 1)));
    }

    /** Packs the path of a file in the current directory. */
    void file(Name name) {
        int digits = name.length() - SUFFIX.length;
        if (leafPacks
                && digits > 0
                && digits % 2 == 0
                && digits / 2 <= BYTES_MAX - HEADER_BYTES
                && name.endsWith(SUFFIX)
                && name.isLowerHex(0, digits)) {
            form = Form.HASH;
            System.arraycopy(header, 0, bytes, 0, HEADER_BYTES);
            length = HEADER_BYTES + digits / 2;
            packDigits(name, digits);
            return;
        }
        plain(name);
    }

    private void packDigits(Name name, int digits) {
        int done = 0;
        while (done + HexWords.DIGITS <= digits) {
            WORD.set(bytes, HEADER_BYTES + done / 2, HexWords.pack(name.wordAt(done)));
            done += HexWords.DIGITS;
        }
        for (int i = done; i < digits; i += 2) {
            bytes[HEADER_BYTES + i / 2] = hexByte(name, i);
        }
    }

    private void plain(Name name) {
        length = leafPath.length + name.length();
        form = length <= BYTES_MAX ? Form.PLAIN : Form.LONG;
        if (form == Form.PLAIN) {
            System.arraycopy(leafPath, 0, bytes, 0, leafPath.length);
            name.copyTo(bytes, leafPath.length);
        }
    }

    /** The path of a file in the current directory, unpacked. */
    byte[] path(Name name) {
        byte[] path = Arrays.copyOf(leafPath, leafPath.length + name.length());
        name.copyTo(path, leafPath.length);
        return path;
    }

    /**
     * Where the current directory comes in the order in which directories are visited: by the low bits of its inode, because
     * file systems keep together what was made together, the inode of a directory and those of its first files. Where its
     * inode says nothing it comes anywhere, but all files of it together.
     */
    int place(int rank) {
        return leafTold ? leafInode : ReadySlots.hash(rank, leafPath, leafPath.length);
    }

    /** Length of the directory part of paths in the current directory, with its last slash. */
    int leafLength() {
        return leafPath.length;
    }

    /** The path that packed bytes of form {@link Form#HASH} stand for. */
    static byte[] unpack(byte[] packed, int length) {
        int group = (packed[3] & 0xff) << 8 | (packed[4] & 0xff);
        byte[] groupDigits = Integer.toString(group).getBytes(StandardCharsets.US_ASCII);
        byte[] path = new byte[LEAF_START + groupDigits.length + 1 + 2 * (length - HEADER_BYTES) + SUFFIX.length];
        path[0] = DIGITS[packed[0]];
        hex(packed[1], path, 1);
        path[BUCKET_DIGITS] = '/';
        hex(packed[2], path, BUCKET_DIGITS + 1);
        path[LEAF_START - 2] = '_';
        path[LEAF_START - 1] = 'g';
        System.arraycopy(groupDigits, 0, path, LEAF_START, groupDigits.length);
        int at = LEAF_START + groupDigits.length;
        path[at++] = '/';
        for (int i = HEADER_BYTES; i < length; i++) {
            hex(packed[i], path, at);
            at += 2;
        }
        System.arraycopy(SUFFIX, 0, path, at, SUFFIX.length);
        return path;
    }

    private static void hex(byte value, byte[] path, int at) {
        path[at] = DIGITS[(value >> 4) & 0xf];
        path[at + 1] = DIGITS[value & 0xf];
    }
}
