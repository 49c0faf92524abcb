package io.tidemark.bench;

/** Entry point of {@code ./tidemark bench}. */
public final class BenchMain {
    private BenchMain() {}

    public static void main(String[] args) {
        System.err.println("tidemark bench: no benchmarks yet");
    }
}
