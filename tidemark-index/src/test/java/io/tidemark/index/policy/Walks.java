package io.tidemark.index.policy;

import java.util.ArrayList;
import java.util.List;

/** Helpers over walks. */
final class Walks {
    private Walks() {}

    /** The whole order in one walk that declines every victim. */
    static List<Integer> order(VictimOrder order) {
        order.beginWalk();
        List<Integer> victims = rest(order);
        order.endWalk();
        return victims;
    }

    /** What is left of a running walk. */
    static List<Integer> rest(VictimOrder order) {
        List<Integer> victims = new ArrayList<>();
        for (int node = order.popNext(); node != VictimOrder.NONE; node = order.popNext()) {
            victims.add(node);
        }
        return victims;
    }
}
