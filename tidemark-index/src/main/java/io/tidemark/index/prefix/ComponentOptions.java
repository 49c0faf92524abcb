package io.tidemark.index.prefix;

/**
 * What nodes of a tree hold beside their full values.
 *
 * @param window units that sliding-window attention looks back; 0 for models without it
 * @param states nodes hold recurrent states (Mamba)
 * @param takesRevealed an eviction goes on, in the same walk, with ancestors that it turned into leaves without window
 *     or state: nothing can match them any more. Off, as upstream, they wait for their turn
 */
public record ComponentOptions(int window, boolean states, boolean takesRevealed) {
    /** Full values only. */
    public static final ComponentOptions NONE = new ComponentOptions(0, false, false);

    /** Checks the window. */
    public ComponentOptions {
        if (window < 0) {
            throw new IllegalArgumentException("a window must not be negative, got " + window);
        }
    }

    /** Sliding-window attention over so many units. */
    public static ComponentOptions window(int units) {
        return new ComponentOptions(units, false, false);
    }

    /** These components and recurrent states. */
    public ComponentOptions withStates() {
        return new ComponentOptions(window, true, takesRevealed);
    }

    /** These components, and walks that go on with what they reveal. */
    public ComponentOptions takingRevealed() {
        return new ComponentOptions(window, states, true);
    }

    /** Whether there is a component. */
    boolean any() {
        return window > 0 || states;
    }
}
