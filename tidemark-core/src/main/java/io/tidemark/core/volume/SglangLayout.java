package io.tidemark.core.volume;

import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * The flat layout of SGLang's file backend: {@code <key><suffix>.bin} right in the root, key a hash of 64 lower-case
 * hexadecimal digits, suffix {@code _<model>}, with {@code _<rank>_<size>} and more numbers unless all ranks share it. A flat root proves nothing: it has to be adopted.
 */
public final class SglangLayout implements Layout {
    private static final byte[] BLOCK_SUFFIX = ".bin".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] TEMPORARY_SUFFIX = ".tmp".getBytes(StandardCharsets.US_ASCII);
    private static final int KEY_DIGITS = 64;

    @Override
    public String name() {
        return "sglang";
    }

    @Override
    public int levels() {
        return 0;
    }

    @Override
    public RankRule rankRule() {
        return RankRule.ROOT;
    }

    @Override
    public boolean isRank(Name directory) {
        return false;
    }

    @Override
    public int bucketDigit(Name directory) {
        return -1;
    }

    @Override
    public boolean isLeaf(Name directory) {
        return false;
    }

    @Override
    public boolean isBlock(Name file) {
        return file.endsWith(BLOCK_SUFFIX) && startsWithKey(file);
    }

    @Override
    public boolean isOrphan(Name file) {
        return file.endsWith(TEMPORARY_SUFFIX) && startsWithKey(file);
    }

    private static boolean startsWithKey(Name file) {
        return file.leadingHex() == KEY_DIGITS && (file.byteAt(KEY_DIGITS) == '_' || file.byteAt(KEY_DIGITS) == '.');
    }

    @Override
    public BlockHash hash(Name file) {
        return isBlock(file) ? FsLayout.lowBits(file, KEY_DIGITS) : BlockHash.UNKNOWN;
    }

    @Override
    public Optional<String> model(Name file) {
        int end = file.length() - BLOCK_SUFFIX.length;
        int number = numberBefore(file, end);
        while (number > KEY_DIGITS + 1) {
            end = number;
            number = numberBefore(file, end);
        }
        String name = file.toString();
        return end > KEY_DIGITS + 1 && name.length() == file.length()
                ? Optional.of(name.substring(KEY_DIGITS + 1, end))
                : Optional.empty();
    }

    /** Where the {@code _<number>} that ends at {@code end} begins; -1 when there is none. */
    private static int numberBefore(Name file, int end) {
        int at = end - 1;
        while (at > KEY_DIGITS && file.byteAt(at) >= '0' && file.byteAt(at) <= '9') {
            at--;
        }
        return at > KEY_DIGITS && at < end - 1 && file.byteAt(at) == '_' ? at : -1;
    }

    @Override
    public boolean provesItself() {
        return false;
    }
}
