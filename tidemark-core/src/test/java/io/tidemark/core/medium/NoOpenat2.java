package io.tidemark.core.medium;

/** The directory calls as on a kernel, or below a filter, that refuses openat2. */
public final class NoOpenat2 {
    private NoOpenat2() {}

    public static NativeDirectoryCalls calls() {
        return new NativeDirectoryCalls(false);
    }
}
