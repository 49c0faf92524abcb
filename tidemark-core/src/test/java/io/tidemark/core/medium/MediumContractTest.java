package io.tidemark.core.medium;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.LongPredicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What every medium promises. A test of a medium extends this and says how to open one. */
abstract class MediumContractTest {
    static final LongPredicate ANY = copy -> true;
    static final OfferBudget PLENTY = new OfferBudget(Long.MAX_VALUE, 1_000);

    private static final int PAGES = 64;

    Medium medium;
    private int keys;

    /** Opens a medium of exactly this many pages, all of them usable. */
    abstract Medium open(int pages) throws IOException;

    @BeforeEach
    void openMedium() throws IOException {
        medium = open(PAGES);
    }

    @AfterEach
    void ledgerBalances() {
        Ledger.Snapshot ledger = medium.ledger().snapshot();
        assertThat(ledger.capacity()).isEqualTo(PAGES * medium.pageBytes());
        medium.close();
    }

    /** Steps of each thread in a round of the stress. */
    int stressSteps() {
        return 2_000;
    }

    final long pages(long count) {
        return count * medium.pageBytes();
    }

    final long reserve(long bytes) {
        return switch (medium.allocate(bytes)) {
            case Allocation.Allocated allocated -> allocated.copy();
            case Allocation other -> throw new AssertionError("no space for " + bytes + ": " + other);
        };
    }

    final long put(long bytes) throws IOException {
        long copy = reserve(bytes);
        fill(copy, bytes, copy);
        assertThat(commit(copy)).isTrue();
        return copy;
    }

    final boolean commit(long copy) throws IOException {
        return medium.commit(copy, ("key-" + keys++).getBytes(StandardCharsets.UTF_8), 1);
    }

    private void fill(long copy, long bytes, long seed) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            medium.write(copy, 0, pattern(arena, bytes, seed));
        }
    }

    private void assertHolds(long copy, long bytes, long seed) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment read = arena.allocate(bytes);
            medium.read(copy, 0, read);
            assertThat(read.mismatch(pattern(arena, bytes, seed))).isEqualTo(-1);
        }
    }

    private static MemorySegment pattern(Arena arena, long bytes, long seed) {
        MemorySegment segment = arena.allocate(bytes);
        byte[] content = new byte[(int) bytes];
        new Random(seed).nextBytes(content);
        MemorySegment.copy(content, 0, segment, ValueLayout.JAVA_BYTE, 0, content.length);
        return segment;
    }

    final List<Long> offered(LongPredicate mayGo) {
        return medium.copies().order().offers(PLENTY, mayGo).stream()
                .map(Offer::handle)
                .toList();
    }

    @Test
    void aReservationIsNotFindableBeforeItsCommit() throws IOException {
        long copy = reserve(100);
        assertThat(medium.copies().state(copy)).isEqualTo(CopyState.RESERVED);
        assertThat(medium.copies().pin(copy)).isFalse();
        assertThat(medium.ledger().snapshot().reserved()).isEqualTo(pages(1));
        assertThat(commit(copy)).isTrue();
        assertThat(medium.copies().state(copy)).isEqualTo(CopyState.COMMITTED);
        assertThat(medium.ledger().snapshot().resident()).isEqualTo(pages(1));
    }

    @Test
    void aCommitIsDoneOnce() throws IOException {
        long copy = put(100);
        assertThat(commit(copy)).isFalse();
        assertThat(medium.abort(copy)).isFalse();
        assertThat(medium.ledger().snapshot().resident()).isEqualTo(pages(1));
    }

    @Test
    void anAbortGivesTheSpaceBackOnce() throws IOException {
        long copy = reserve(pages(3));
        assertThat(medium.abort(copy)).isTrue();
        assertThat(medium.abort(copy)).isFalse();
        assertThat(commit(copy)).isFalse();
        assertThat(medium.copies().state(copy)).isEqualTo(CopyState.FREED);
        assertThat(medium.ledger().freeBytes()).isEqualTo(pages(PAGES));
    }

    @Test
    void whatWasWrittenIsRead() throws IOException {
        for (long bytes : new long[] {1, 4095, 4096, 4097, 3 * 4096 + 17}) {
            long copy = put(bytes);
            assertThat(medium.copies().pin(copy)).isTrue();
            assertHolds(copy, bytes, copy);
            assertThat(medium.copies().unpin(copy)).isFalse();
        }
    }

    @Test
    void aRangeIsReadAlone() throws IOException {
        long bytes = pages(5) + 3;
        long copy = put(bytes);
        medium.copies().pin(copy);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment part = arena.allocate(pages(2));
            medium.read(copy, pages(1) + 7, part);
            MemorySegment whole = pattern(arena, bytes, copy);
            assertThat(part.mismatch(whole.asSlice(pages(1) + 7, part.byteSize())))
                    .isEqualTo(-1);
        }
    }

    @Test
    void aRangeOutsideTheBlockIsRefused() throws IOException {
        long copy = put(100);
        medium.copies().pin(copy);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment buffer = arena.allocate(2);
            assertThatThrownBy(() -> medium.read(copy, 99, buffer)).isInstanceOf(IndexOutOfBoundsException.class);
            assertThatThrownBy(() -> medium.read(copy, -1, buffer)).isInstanceOf(IndexOutOfBoundsException.class);
        }
    }

    @Test
    void g99_anEmptyBlockIsLegalAndTakesAPage() throws IOException {
        long copy = put(0);
        assertThat(medium.copies().state(copy)).isEqualTo(CopyState.COMMITTED);
        assertThat(medium.copies().lengthBytes(copy)).isZero();
        assertThat(medium.copies().allocatedBytes(copy)).isEqualTo(pages(1));
        assertThat(medium.ledger().freeBytes()).isEqualTo(pages(PAGES - 1));
        assertThat(medium.free(copy)).isEqualTo(new Reclaimable.Freed(Reclaimable.Outcome.FREED, pages(1)));
    }

    @Test
    void emptyBlocksFillTheMediumAsOthersDoAndThereIsASlotForEachPage() throws IOException {
        List<Long> copies = new ArrayList<>();
        for (int page = 0; page < PAGES; page++) {
            copies.add(put(0));
        }
        assertThat(medium.ledger().freeBytes()).isZero();
        assertThat(medium.allocate(0)).isEqualTo(new Allocation.NoSpace());
        assertThat(medium.free(copies.get(PAGES / 2)).bytes()).isEqualTo(pages(1));
        copies.set(PAGES / 2, put(0));
        copies.forEach(copy -> assertThat(medium.free(copy).bytes()).isEqualTo(pages(1)));
        assertThat(medium.ledger().freeBytes()).isEqualTo(pages(PAGES));
    }

    @Test
    void aBlockLargerThanTheMediumIsTooLarge() {
        assertThat(medium.allocate(medium.maxBlockBytes() + 1))
                .isEqualTo(new Allocation.TooLarge(medium.maxBlockBytes()));
        assertThat(medium.ledger().freeBytes()).isEqualTo(pages(PAGES));
    }

    @Test
    void g32_noSpaceLeavesNothingBehind() throws IOException {
        long held = put(pages(PAGES - 4));
        int count = medium.copies().count();
        assertThat(medium.allocate(pages(5))).isEqualTo(new Allocation.NoSpace());
        assertThat(medium.ledger().freeBytes()).isEqualTo(pages(4));
        assertThat(medium.copies().count()).isEqualTo(count);
        medium.free(held);
        assertThat(medium.allocate(pages(5))).isInstanceOf(Allocation.Allocated.class);
    }

    @Test
    void sizesAreChargedInWholePages() {
        reserve(1);
        reserve(medium.pageBytes() + 1);
        assertThat(medium.ledger().snapshot().reserved()).isEqualTo(pages(3));
    }

    @Test
    void g12_aFreedCopyIsNeverFoundAgainUnderItsHandle() throws IOException {
        long old = put(100);
        assertThat(medium.free(old).outcome()).isEqualTo(Reclaimable.Outcome.FREED);
        long fresh = put(100);
        assertThat(fresh).isNotEqualTo(old);
        assertThat(medium.copies().state(old)).isEqualTo(CopyState.FREED);
        assertThat(medium.copies().pin(old)).isFalse();
        assertThat(medium.copies().doom(old)).isFalse();
        assertThat(medium.free(old)).isEqualTo(Reclaimable.Freed.GONE);
        assertThat(medium.copies().state(fresh)).isEqualTo(CopyState.COMMITTED);
    }

    @Test
    void aPinnedCopyIsNotFreed() throws IOException {
        long copy = put(100);
        medium.copies().pin(copy);
        assertThat(medium.free(copy)).isEqualTo(Reclaimable.Freed.HELD);
        medium.copies().unpin(copy);
        assertThat(medium.free(copy).bytes()).isEqualTo(pages(1));
    }

    @Test
    void aMovingCopyIsNotFreed() throws IOException {
        long copy = put(100);
        assertThat(medium.copies().beginMove(copy)).isTrue();
        assertThat(medium.free(copy)).isEqualTo(Reclaimable.Freed.HELD);
    }

    @Test
    void aReservationIsNotFreed() {
        assertThat(medium.free(reserve(100))).isEqualTo(Reclaimable.Freed.HELD);
    }

    @Test
    void g48_aDoomedCopyKeepsItsBytesUntilTheLastPinCloses() throws IOException {
        long copy = put(pages(2));
        medium.copies().pin(copy);
        medium.copies().pin(copy);
        assertThat(medium.copies().doom(copy)).isTrue();
        assertThat(medium.copies().pin(copy)).as("no longer findable").isFalse();
        assertThat(medium.ledger().snapshot().doomed()).isEqualTo(pages(2));
        assertThat(medium.free(copy)).isEqualTo(Reclaimable.Freed.HELD);
        assertThat(medium.copies().unpin(copy)).isFalse();
        put(pages(PAGES - 2));
        assertHolds(copy, pages(2), copy);
        assertThat(medium.copies().unpin(copy)).as("last pin of a doomed copy").isTrue();
        assertThat(medium.free(copy).bytes()).isEqualTo(pages(2));
    }

    @Test
    void withoutAnOrderNothingIsOffered() throws IOException {
        put(100);
        assertThat(offered(ANY)).isEmpty();
    }

    @Test
    void copiesCommittedBeforeTheOrderJoinIt() throws IOException {
        long copy = put(100);
        medium.copies().trackOrder("lru");
        assertThat(offered(ANY)).containsExactly(copy);
    }

    @Test
    void offersComeColdestFirstAndFreeNothing() throws IOException {
        medium.copies().trackOrder("lru");
        long a = put(100);
        long b = put(100);
        long c = put(100);
        medium.copies().order().touch(a);
        assertThat(offered(ANY)).containsExactly(b, c, a);
        assertThat(offered(ANY)).containsExactly(b, c, a);
        assertThat(medium.ledger().snapshot().resident()).isEqualTo(pages(3));
    }

    @Test
    void offersStopWhenTheBudgetIsCovered() throws IOException {
        medium.copies().trackOrder("lru");
        for (int i = 0; i < 6; i++) {
            put(pages(2));
        }
        assertThat(medium.copies().order().offers(new OfferBudget(pages(5), 64), ANY))
                .hasSize(3);
        assertThat(medium.copies().order().offers(new OfferBudget(pages(64), 2), ANY))
                .hasSize(2);
        assertThat(medium.copies().order().offers(new OfferBudget(0, 64), ANY)).isEmpty();
    }

    @Test
    void offersSkipPinnedMovingReservedAndLeasedCopies() throws IOException {
        medium.copies().trackOrder("lru");
        long pinned = put(100);
        long moving = put(100);
        long leased = put(100);
        long free = put(100);
        reserve(100);
        medium.copies().pin(pinned);
        medium.copies().beginMove(moving);
        assertThat(offered(copy -> copy != leased)).containsExactly(free);
    }

    @Test
    void theLastUnpinMakesACopyTheMostRecent() throws IOException {
        medium.copies().trackOrder("lru");
        long a = put(100);
        long b = put(100);
        medium.copies().pin(a);
        medium.copies().pin(a);
        medium.copies().unpin(a);
        assertThat(offered(ANY)).containsExactly(b);
        medium.copies().unpin(a);
        assertThat(offered(ANY)).containsExactly(b, a);
    }

    @Test
    void aFailedMoveMakesACopyTheColdest() throws IOException {
        medium.copies().trackOrder("lru");
        long a = put(100);
        long b = put(100);
        medium.copies().beginMove(b);
        assertThat(medium.copies().endMove(b)).isTrue();
        assertThat(offered(ANY)).containsExactly(b, a);
    }

    @Test
    void aSuccessfulMoveDoomsItsSource() throws IOException {
        long copy = put(100);
        medium.copies().beginMove(copy);
        assertThat(medium.copies().pin(copy)).as("a moving copy is readable").isTrue();
        assertThat(medium.copies().doom(copy)).isTrue();
        assertThat(medium.copies().state(copy)).isEqualTo(CopyState.DOOMED);
        assertThat(medium.copies().unpin(copy)).isTrue();
        assertThat(medium.free(copy).outcome()).isEqualTo(Reclaimable.Outcome.FREED);
    }

    @Test
    void aMoveEndsQuietlyWhenItsSourceWasDoomed() throws IOException {
        long copy = put(100);
        medium.copies().beginMove(copy);
        medium.copies().doom(copy);
        assertThat(medium.copies().endMove(copy)).isFalse();
        assertThat(medium.free(copy).outcome()).isEqualTo(Reclaimable.Outcome.FREED);
        assertThat(medium.copies().endMove(copy)).isFalse();
    }

    @Test
    void pinnedAndMovingCopiesMayNotMove() throws IOException {
        long copy = put(100);
        medium.copies().pin(copy);
        assertThat(medium.copies().movable(copy)).isFalse();
        assertThat(medium.copies().beginMove(copy)).isFalse();
        medium.copies().unpin(copy);
        assertThat(medium.copies().beginMove(copy)).isTrue();
        assertThat(medium.copies().beginMove(copy)).isFalse();
    }

    @Test
    void illegalCallsAreRefusedLoudly() throws IOException {
        long copy = put(100);
        assertThatThrownBy(() -> medium.copies().unpin(copy)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> medium.copies().endMove(copy)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> medium.allocate(-1)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void g02_theTailOfAChainGoesFirst() throws IOException {
        medium.copies().trackOrder("lru");
        long root = put(100);
        long middle = put(100);
        long tail = put(100);
        medium.copies().order().touch(root);
        medium.copies().order().touchBehind(middle, root);
        medium.copies().order().touchBehind(tail, middle);
        long other = put(100);
        assertThat(offered(ANY)).containsExactly(tail, middle, root, other);
    }

    @Test
    void incompleteTailsGoBeforeAllOthers() throws IOException {
        medium.copies().trackOrder("lru+np");
        long old = put(100);
        long tail = reserve(100);
        medium.copies().describe(tail, 7, 0, true);
        commit(tail);
        assertThat(medium.copies().owner(tail)).isEqualTo(7);
        assertThat(offered(ANY)).containsExactly(tail, old);
    }

    @Test
    void theOldestGoesFirstUnderFifoHoweverOftenItIsRead() throws IOException {
        medium.copies().trackOrder("fifo");
        long a = put(100);
        long b = put(100);
        medium.copies().pin(a);
        medium.copies().unpin(a);
        medium.copies().order().touch(a);
        assertThat(offered(ANY)).containsExactly(a, b);
    }

    @Test
    void everyFreeByteCanBeAllocated() throws IOException {
        List<Long> copies = new ArrayList<>();
        for (int i = 0; i < PAGES; i++) {
            copies.add(put(pages(1)));
        }
        for (int i = 0; i < PAGES; i += 2) {
            medium.free(copies.get(i));
        }
        long free = medium.ledger().freeBytes();
        assertThat(free).isEqualTo(pages(PAGES / 2));
        long scattered = put(free);
        medium.copies().pin(scattered);
        assertHolds(scattered, free, scattered);
        assertThat(medium.ledger().freeBytes()).isZero();
    }

    @Test
    void g09_stateOrderAndLedgerAgreeUnderConcurrentUse() throws Exception {
        medium.copies().trackOrder("lru");
        new MediumStress(medium, 9, 8, 64).run(5, stressSteps());
    }
}
