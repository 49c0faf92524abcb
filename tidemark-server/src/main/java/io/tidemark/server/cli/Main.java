package io.tidemark.server.cli;

/** Entry point of the command {@code tidemark}. */
public final class Main {
    private Main() {}

    public static void main(String[] args) {
        System.err.println("tidemark: no commands yet");
    }
}
