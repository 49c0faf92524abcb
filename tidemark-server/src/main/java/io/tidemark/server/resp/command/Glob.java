package io.tidemark.server.resp.command;

/**
 * Redis's patterns over bytes: {@code *}, {@code ?}, {@code [abc]}, {@code [a-z]}, {@code [^a]}, {@code \c}.
 *
 * <p>Only the last star is ever gone back to, so that the cost is at most pattern length x text length.
 */
final class Glob {
    private final byte[] pattern;

    Glob(byte[] pattern) {
        this.pattern = pattern;
    }

    /** Whether the whole text matches. */
    boolean matches(byte[] text) {
        int p = 0;
        int t = 0;
        int afterStar = -1;
        int starText = 0;
        while (t < text.length) {
            if (p < pattern.length && pattern[p] == '*') {
                afterStar = ++p;
                starText = t;
            } else if (p < pattern.length && matchesOne(p, text[t])) {
                p = next(p);
                t++;
            } else if (afterStar >= 0) {
                p = afterStar;
                t = ++starText;
            } else {
                return false;
            }
        }
        while (p < pattern.length && pattern[p] == '*') {
            p++;
        }
        return p == pattern.length;
    }

    private boolean matchesOne(int p, byte value) {
        return switch (pattern[p]) {
            case '?' -> true;
            case '[' -> inClass(p + 1, value);
            case '\\' -> pattern[Math.min(p + 1, pattern.length - 1)] == value;
            default -> pattern[p] == value;
        };
    }

    /** Index behind the element at {@code p}; a class without its bracket ends with the pattern. */
    private int next(int p) {
        if (pattern[p] == '\\') {
            return Math.min(p + 2, pattern.length);
        }
        if (pattern[p] != '[') {
            return p + 1;
        }
        int i = p + 1;
        while (i < pattern.length && pattern[i] != ']') {
            i += pattern[i] == '\\' ? 2 : 1;
        }
        return Math.min(i + 1, pattern.length);
    }

    private boolean inClass(int from, byte value) {
        boolean negated = from < pattern.length && pattern[from] == '^';
        boolean found = false;
        int i = negated ? from + 1 : from;
        while (i < pattern.length && pattern[i] != ']') {
            if (pattern[i] == '\\' && i + 1 < pattern.length) {
                found |= pattern[i + 1] == value;
                i += 2;
            } else if (i + 2 < pattern.length && pattern[i + 1] == '-') {
                found |= inRange(value, pattern[i], pattern[i + 2]);
                i += 3;
            } else {
                found |= pattern[i] == value;
                i++;
            }
        }
        return found != negated;
    }

    private static boolean inRange(byte value, byte from, byte to) {
        int low = Math.min(from & 0xff, to & 0xff);
        int high = Math.max(from & 0xff, to & 0xff);
        return (value & 0xff) >= low && (value & 0xff) <= high;
    }
}
