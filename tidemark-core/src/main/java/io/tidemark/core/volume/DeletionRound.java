package io.tidemark.core.volume;

import java.util.Optional;

/**
 * What all sweepers of a volume free together before they look again whether that was enough; each its share of it.
 *
 * @param number higher than that of any round before
 * @param bytes from where the volume stood down to its target
 * @param files as many files as that takes for the sake of inodes
 */
record DeletionRound(long number, long bytes, long files) {
    private static final char SEPARATOR = ':';
    private static final int PARTS = 3;

    /** What is above it was not counted; and whatever is taken from a damaged record leaves room to count on from. */
    private static final long NUMBER_MAX = Long.MAX_VALUE / 2;

    /** Before any. */
    static final DeletionRound NONE = new DeletionRound(0, 0, 0);

    /** As it stands in a lease, without blanks. */
    @Override
    public String toString() {
        return number + "" + SEPARATOR + bytes + SEPARATOR + files;
    }

    /** The round that a text names; empty where it names none. */
    static Optional<DeletionRound> parse(String text) {
        String[] parts = text.split(String.valueOf(SEPARATOR), PARTS);
        if (parts.length != PARTS) {
            return Optional.empty();
        }
        try {
            DeletionRound round =
                    new DeletionRound(Long.parseLong(parts[0]), Long.parseLong(parts[1]), Long.parseLong(parts[2]));
            return round.number < 0 || round.number > NUMBER_MAX || round.bytes < 0 || round.files < 0
                    ? Optional.empty()
                    : Optional.of(round);
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    /** Whether nothing is left to do in it. */
    boolean over() {
        return bytes == 0 && files == 0;
    }

    /** The later of two; of two that are the same round as much as either, in bytes and in files. */
    DeletionRound with(DeletionRound other) {
        if (number != other.number) {
            return number > other.number ? this : other;
        }
        return new DeletionRound(number, Math.max(bytes, other.bytes), Math.max(files, other.files));
    }

    /** The same round when it is over. */
    DeletionRound ended() {
        return new DeletionRound(number, 0, 0);
    }

    /** What falls to a share of the volume, 0 to 1. */
    DeletionRound part(double share) {
        return new DeletionRound(number, (long) Math.ceil(bytes * share), (long) Math.ceil(files * share));
    }
}
