package io.tidemark.core.pool;

/**
 * What may happen to the copies of a block in one backend, as a pure function of their state: the one place that decides
 * it. The parts of a block in one backend are one unit; its state is that of its least free part.
 */
final class StateRules {
    /** What to do about a unit that is to go. */
    enum Decision {
        /** Take it out of sight and free it. */
        DROP,
        /** Queue its demotion. */
        DEMOTE,
        /** It is on its way already. */
        IN_FLIGHT,
        /** It may not go now. */
        HOLD
    }

    /** What the tiers below say about the block. */
    enum Below {
        /** No tier takes what this one evicts. */
        NOTHING,
        /** The block is in a tier below already. */
        HELD,
        /** A tier below takes it. */
        OPEN,
        /** Tiers below exist, and none of them works. */
        UNHEALTHY
    }

    /**
     * One unit as it is.
     *
     * @param moving some part is the source of a queued or running move
     * @param pins pins on all parts
     * @param last no other backend holds some part of it
     * @param leased a look-up was promised that the block stays readable
     * @param placement reads of some part use this unit first
     * @param worthKeeping lower tiers want the block
     */
    record Unit(
            boolean committed,
            boolean moving,
            long pins,
            boolean last,
            boolean leased,
            boolean placement,
            boolean worthKeeping) {}

    private StateRules() {}

    /** May be dropped: committed, no pin, not moving, and no lease if it is the block's last copy. */
    static boolean droppable(Unit unit) {
        return movable(unit) && !(unit.leased() && unit.last());
    }

    /** May become the source of a move: committed, no pin, not moving. */
    static boolean movable(Unit unit) {
        return unit.committed() && !unit.moving() && unit.pins() == 0;
    }

    /** CAPACITY: demotes the placement where a tier below takes it, else drops what may be dropped. */
    static Decision underPressure(Unit unit, Below below) {
        if (unit.moving()) {
            return Decision.IN_FLIGHT;
        }
        if (unit.placement() && below == Below.OPEN && unit.worthKeeping() && movable(unit)) {
            return Decision.DEMOTE;
        }
        return droppable(unit) ? Decision.DROP : Decision.HOLD;
    }
}
