package io.tidemark.core.pool;

import io.tidemark.core.medium.MappedMedium;
import io.tidemark.core.medium.WholeBlock;
import io.tidemark.core.pool.CopyStates.NewCopy;
import io.tidemark.core.pool.Transition.Kind;
import io.tidemark.core.pool.Transition.Outcome;
import io.tidemark.core.pool.Transition.Part;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Copies several small blocks from memory to a device in one go: space side by side, few writes, one flush of their
 * records. Only what works out for all of them at once is done here: what does not is left to be moved block by block, so
 * that retries, spilling and failures have one place.
 */
final class JointFill {
    private final TierGraph graph;
    private final int carriersMost;
    private final Consumer<Move> giveUp;

    /** @param giveUp gives back what was made in the target */
    JointFill(TierGraph graph, int carriersMost, Consumer<Move> giveUp) {
        this.graph = graph;
        this.carriersMost = carriersMost;
        this.giveUp = giveUp;
    }

    /** Fills what it can of held demotions from one backend; those have {@link Move#landed} afterwards. */
    void fill(List<Move> moves) {
        Map<Backend, List<Move>> groups = new LinkedHashMap<>();
        for (Move move : moves) {
            if (move.held.isPresent() && isJoinable(move.transition)) {
                groups.computeIfAbsent(target(move), any -> new ArrayList<>()).add(move);
            }
        }
        groups.forEach((target, group) -> {
            if (group.size() > 1 && target.beginCarry(carriersMost)) {
                try {
                    fill(target, group);
                } finally {
                    target.endCarry();
                }
            }
        });
    }

    private boolean isJoinable(Transition transition) {
        return transition.kind() == Kind.DEMOTION
                && transition.source().medium instanceof MappedMedium
                && !graph.tierOf(transition.source()).below().isEmpty();
    }

    /** The backend that is asked first for space for this block. */
    private Backend target(Move move) {
        Tier below = graph.tierOf(move.transition.source()).below().getFirst();
        return below.placement(move.held.orElseThrow().key().bytes()).getFirst();
    }

    private void fill(Backend target, List<Move> group) {
        boolean written = false;
        try {
            List<WholeBlock> blocks = reserve(target, group);
            if (!blocks.isEmpty()) {
                target.medium.writeTogether(blocks);
                written = true;
            }
        } catch (IOException e) {
            // Which one it was shows when each is tried alone.
            written = false;
        } finally {
            for (Move move : group) {
                if (written) {
                    move.outcome = Outcome.LANDED;
                } else {
                    giveUp.accept(move);
                }
            }
        }
    }

    /** Reserves space for every part of every block; empty when there is not room for all. */
    private static List<WholeBlock> reserve(Backend target, List<Move> group) {
        List<WholeBlock.Size> sizes = new ArrayList<>();
        for (Move move : group) {
            for (Part part : move.transition.parts()) {
                sizes.add(new WholeBlock.Size((int) lengthBytes(move, part), recordKey(move, part).length));
            }
        }
        long[] copies = target.medium.allocateTogether(sizes);
        List<WholeBlock> blocks = new ArrayList<>();
        for (Move move : group) {
            for (Part part : copies.length == 0 ? List.<Part>of() : move.transition.parts()) {
                long generation = move.held.orElseThrow().generation();
                long copy = copies[blocks.size()];
                move.copies.add(new NewCopy(target, copy, part.number(), generation, Stored.DEMOTION));
                MappedMedium source = (MappedMedium) move.transition.source().medium;
                blocks.add(new WholeBlock(copy, source.segments(part.copy()), recordKey(move, part), generation));
            }
        }
        return blocks;
    }

    private static long lengthBytes(Move move, Part part) {
        return move.transition.source().copies().lengthBytes(part.copy());
    }

    private static byte[] recordKey(Move move, Part part) {
        return move.held.orElseThrow().record(part.number()).bytes();
    }
}
