package io.tidemark.bench.volume;

/** From when on an eviction is measured. */
enum Trigger {
    /**
     * The evictor is started on a full volume: from {@code DELETION_START} on, with the first walk and, of a virtual machine,
     * all that is slow at first. Against the whole of the reference: walk, order, removal.
     */
    START("started on a full volume, walk included", ""),
    /**
     * The evictor has run for a while below its mark, as it does all day, then the volume is filled above it: from that
     * moment on, with the time until it is noticed. Against the removal alone of the reference.
     */
    FILL("running, from the moment the volume is above the mark", "; in C the removal alone");

    private final String words;
    private final String wordsInC;

    Trigger(String words, String wordsInC) {
        this.words = words;
        this.wordsInC = wordsInC;
    }

    String words() {
        return words;
    }

    /** The same against the reference. */
    String wordsInC() {
        return words + wordsInC;
    }
}
