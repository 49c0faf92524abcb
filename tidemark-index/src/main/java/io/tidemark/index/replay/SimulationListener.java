package io.tidemark.index.replay;

/** Hears how a simulation goes. */
public interface SimulationListener {
    /** Hears nothing. */
    SimulationListener NONE = new SimulationListener() {};

    /** The trace has been read. */
    default void read(Trace trace) {}

    /** Called every thousand requests. */
    default void progressed(String policy, String size, int requestsDone, int requests) {}

    /** One cache is done. */
    default void finished(SimulationResult result) {}
}
