package io.tidemark.core.pool;

import io.tidemark.core.medium.MappedMedium;
import io.tidemark.core.medium.WholeBlock;
import io.tidemark.core.pool.CopyStates.NewCopy;
import io.tidemark.core.pool.Transition.Outcome;
import io.tidemark.core.pool.Transition.Part;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;

/**
 * Copies several small blocks from memory to a device in one go: space side by side, few writes, one flush of their
 * records. Only what works out for all of them at once is done here: what does not goes back to the queue, to be moved block
 * by block, so that retries, spilling and failures have one place, and nobody waits for the tries of others.
 */
final class JointFill {
    /** A device that is busy is waited for so often; then each block may go elsewhere. */
    private static final int TRIES_TOGETHER = Mover.TRIES_AT_ITS_PLACE;

    private final int carriersMost;
    private final Consumer<Move> giveUp;

    /** @param giveUp gives back what was made in the target */
    JointFill(int carriersMost, Consumer<Move> giveUp) {
        this.carriersMost = carriersMost;
        this.giveUp = giveUp;
    }

    /**
     * Fills held demotions from one backend to one device, which are {@linkplain Move#apart apart}: all of them, which have
     * {@link Move#landed} then, or none.
     */
    void fill(Backend target, List<Move> moves) {
        if (target.beginCarry(carriersMost)) {
            try {
                write(target, moves);
            } finally {
                target.endCarry();
            }
        } else {
            moves.stream()
                    .filter(move -> move.transition.tries() < TRIES_TOGETHER)
                    .forEach(move -> move.how = Move.How.TOGETHER);
        }
    }

    private void write(Backend target, List<Move> moves) {
        boolean written = false;
        try {
            List<WholeBlock> blocks = reserve(target, moves);
            if (!blocks.isEmpty()) {
                target.medium.writeTogether(blocks);
                written = true;
            }
        } catch (IOException e) {
            // Which one it was shows when each is tried alone.
            written = false;
        } finally {
            if (written) {
                moves.forEach(JointFill::land);
            } else {
                giveUp(moves);
            }
        }
    }

    private static void land(Move move) {
        move.how = Move.How.TOGETHER;
        move.outcome = Outcome.LANDED;
    }

    /** Gives back what was made for each, also where that of another one throws. */
    private void giveUp(List<Move> moves) {
        if (!moves.isEmpty()) {
            try {
                giveUp.accept(moves.getFirst());
            } finally {
                giveUp(moves.subList(1, moves.size()));
            }
        }
    }

    /** Reserves space for every part of every block; empty when there is not room for all. */
    private static List<WholeBlock> reserve(Backend target, List<Move> moves) {
        List<WholeBlock.Size> sizes = new ArrayList<>();
        for (Move move : moves) {
            for (Part part : move.transition.parts()) {
                sizes.add(new WholeBlock.Size((int) lengthBytes(move, part), recordKey(move, part).length));
            }
        }
        long[] copies = target.medium.allocateTogether(sizes);
        if (copies.length > 0) {
            own(target, copies, moves);
        }
        return copies.length == 0 ? List.of() : blocks(moves);
    }

    /** Gives each move its copies before anything else can go wrong: from then on the move gives them back. */
    private static void own(Backend target, long[] copies, List<Move> moves) {
        int owned = 0;
        try {
            for (Move move : moves) {
                long generation = move.held.orElseThrow().generation();
                for (Part part : move.transition.parts()) {
                    move.copies.add(new NewCopy(target, copies[owned], part.number(), generation, Stored.DEMOTION));
                    move.reach().begins(target);
                    owned++;
                }
            }
        } finally {
            Arrays.stream(copies, owned, copies.length).forEach(target.medium::abort);
        }
    }

    private static List<WholeBlock> blocks(List<Move> moves) {
        List<WholeBlock> blocks = new ArrayList<>();
        for (Move move : moves) {
            MappedMedium source = (MappedMedium) move.transition.source().medium;
            long generation = move.held.orElseThrow().generation();
            for (int i = 0; i < move.copies.size(); i++) {
                Part part = move.transition.parts().get(i);
                long copy = move.copies.get(i).copy();
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
