package io.tidemark.core.medium;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.tidemark.core.medium.SsdOpening.Outcome;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A device that fails while it is opened: broken or refused, and what takes its place until it works. */
class SsdOpeningTest {
    private static final long PAUSE_MILLIS = 5;
    private static final byte[] KEY = {'k'};

    @TempDir
    Path folder;

    private final FaultySys sys = new FaultySys(NativeSys.INSTANCE);
    private final CountDownLatch released = new CountDownLatch(1);
    private final Deque<Medium> open = new ArrayDeque<>();

    private SsdOptions options() {
        return SsdOptions.of("ssd0", folder.resolve("ssd"), SsdOptions.CAPACITY_BYTES_MIN);
    }

    private static SsdOwner owner(SsdOwner.Claim claim) {
        return new SsdOwner() {
            @Override
            public UUID state() {
                return new UUID(1, 2);
            }

            @Override
            public Claim judge(SsdIdentity found) {
                return claim;
            }
        };
    }

    private static long in(long millis) {
        return System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    }

    /** Leaves one block in the directory. */
    private void leaveBlock() throws IOException {
        try (SsdMedium ssd = SsdMedium.open(NativeSys.INSTANCE, options());
                Arena arena = Arena.ofConfined()) {
            put(ssd, arena);
        }
    }

    private static long put(Medium medium, Arena arena) throws IOException {
        long copy = ((Allocation.Allocated) medium.allocate(4096)).copy();
        medium.write(copy, 0, SsdHarness.content(arena, 1, 4096));
        medium.seal(copy, KEY, 1);
        assertThat(medium.commit(copy, KEY, 1)).isTrue();
        return copy;
    }

    private Medium standIn(SsdOpening opening, Outcome outcome) {
        assertThat(outcome).isInstanceOf(Outcome.Broken.class);
        Medium medium = opening.standIn(((Outcome.Broken) outcome).why(), ssd -> {}, PAUSE_MILLIS);
        open.push(medium);
        return medium;
    }

    @AfterEach
    void close() {
        released.countDown();
        open.forEach(Medium::close);
    }

    @Test
    void aDeviceWithReadErrorsIsBypassedAndBeginsEmptyWhenItWorksAgain() throws IOException {
        leaveBlock();
        sys.inject(call -> call.is("pread"), new FaultySys.Fail(Errno.EIO));
        SsdOpening opening = SsdOpening.begin(sys, options());
        Medium medium = standIn(opening, opening.await(in(10_000)));
        assertThat(medium.health().why()).contains("EIO");
        assertThat(medium.allocate(1)).isInstanceOf(Allocation.Unavailable.class);
        assertThat(medium.ledger().capacityBytes()).isEqualTo(SsdOptions.CAPACITY_BYTES_MIN);
        sys.heal();
        await().until(() -> medium.health().healthy());
        assertThat(medium.copies().count()).isZero();
        try (Arena arena = Arena.ofConfined()) {
            put(medium, arena);
        }
        assertThat(medium.copies().count()).isOne();
    }

    @Test
    void aDeviceThatHangsHoldsTheStartUpUntilTheDeadlineOnly() throws IOException {
        leaveBlock();
        sys.inject(call -> call.is("pread"), new FaultySys.Hang(released), 1);
        SsdOpening opening = SsdOpening.begin(sys, options());
        Medium medium = standIn(opening, opening.await(in(50)));
        assertThat(medium.health().why()).contains("does not answer");
        released.countDown();
        await().until(() -> medium.health().healthy());
        assertThat(medium.copies().count()).isZero();
    }

    @Test
    void aDirectoryThatSomebodyHoldsIsTakenOverOnceThatHasEnded() throws IOException {
        SsdMedium other = SsdMedium.open(NativeSys.INSTANCE, options());
        SsdOpening opening = SsdOpening.begin(sys, options());
        Medium medium = standIn(opening, opening.await(in(10_000)));
        assertThat(medium.health().why()).contains("in use by this process already");
        other.close();
        await().until(() -> medium.health().healthy());
    }

    @Test
    void aWrongPageSizeIsRefusedAndADirectoryThatTurnsOutWrongLaterIsLeftAlone() throws IOException {
        leaveBlock();
        SsdOptions other =
                new SsdOptions("ssd0", options().directory(), SsdOptions.CAPACITY_BYTES_MIN, 8192, 1 << 20, false);
        assertThat(SsdOpening.begin(sys, other).await(in(10_000))).isInstanceOf(Outcome.Refused.class);
        sys.inject(call -> call.is("pread"), new FaultySys.Fail(Errno.EIO));
        SsdOpening opening = SsdOpening.begin(sys, other);
        Medium medium = standIn(opening, opening.await(in(10_000)));
        sys.heal();
        await().until(() -> medium.health().why().contains("pages"));
        medium.close();
        assertThat(reopened().copies().count()).isOne();
    }

    @Test
    void everyCallIsHandedOnButThoseThatNeedNoMediumOrComeBeforeIt() {
        List<String> declared = Stream.of(ReopeningMedium.class.getDeclaredMethods())
                .map(Method::getName)
                .toList();
        assertThat(Stream.of(Medium.class.getMethods())
                        .filter(method -> !Modifier.isStatic(method.getModifiers()))
                        .map(Method::getName))
                .filteredOn(name -> !declared.contains(name))
                .containsExactlyInAnyOrder("chargedBytes", "recovered");
    }

    @Test
    void whatIsVoidIsNotServed() throws IOException {
        leaveBlock();
        Outcome outcome = SsdOpening.begin(sys, options().usedBy(owner(SsdOwner.Claim.EMPTY)))
                .await(in(10_000));
        SsdMedium medium = ((Outcome.Opened) outcome).medium();
        open.push(medium);
        assertThat(medium.copies().count()).isZero();
    }

    /** A server that was given the directory of another one by mistake must not empty it. */
    @Test
    void aForeignDirectoryIsNeitherLockedNorEmptiedAlsoWhenItsServerIsAway() throws IOException {
        SsdMedium other = SsdMedium.open(NativeSys.INSTANCE, options());
        try (Arena arena = Arena.ofConfined()) {
            put(other, arena);
        }
        SsdOptions foreign = options().usedBy(owner(SsdOwner.Claim.FOREIGN));
        SsdOpening opening = SsdOpening.begin(sys, foreign);
        Medium medium = standIn(opening, opening.await(in(10_000)));
        assertThat(medium.health().why()).contains("is in use by this process").doesNotContain("--fresh");
        other.close();
        String identity = options().directory().resolve("identity").toString();
        await().until(() -> medium.health().why().contains("another state directory"));
        assertThat(medium.health().why()).contains(identity).contains("--fresh");
        long reads = sys.count("pread");
        await().until(() -> sys.count("pread") > reads + 2);
        assertThat(medium.health().healthy()).isFalse();
        assertThat(sys.count("flock")).isZero();
        assertThat(reopened().copies().count()).isOne();
    }

    @Test
    void filesThatDoNotSayWhoseTheyAreAreLeftAlone() throws IOException {
        leaveBlock();
        Files.delete(options().directory().resolve("identity"));
        Outcome outcome = SsdOpening.begin(sys, options()).await(in(10_000));
        assertThat(((Outcome.Broken) outcome).why())
                .contains("does not say whose")
                .contains("--fresh");
        assertThat(sys.count("unlinkat")).isZero();
        try (SsdMedium fresh = SsdMedium.open(sys, options().withFresh())) {
            assertThat(fresh.copies().count()).isZero();
        }
        assertThat(reopened().health().healthy()).isTrue();
    }

    @Test
    void anIdentityThatIsEmptyIsToldAsOne() throws IOException {
        leaveBlock();
        Files.write(options().directory().resolve("identity"), new byte[0]);
        Outcome outcome = SsdOpening.begin(sys, options()).await(in(10_000));
        assertThat(((Outcome.Broken) outcome).why()).contains("its file identity is empty");
    }

    /** What is said beforehand is what comes, and nothing is made, locked or thrown away for it. */
    @Test
    void whatAnOpeningWillComeToIsKnownBefore() throws IOException {
        SsdOptions options = options();
        assertThat(SsdProspect.of(sys, options)).isEqualTo(new SsdProspect.Opens(Optional.empty(), List.of()));
        assertThat(options.directory()).doesNotExist();
        leaveBlock();
        SsdIdentity identity = SsdIdentity.read(sys, options.directory()).orElseThrow();
        assertThat(SsdProspect.of(sys, options)).isEqualTo(new SsdProspect.Opens(Optional.of(identity), List.of()));
        assertThat(losses(options.usedBy(owner(SsdOwner.Claim.EMPTY))))
                .singleElement()
                .asString()
                .contains("begins empty");
        SsdOptions foreign = options.usedBy(owner(SsdOwner.Claim.FOREIGN));
        assertThat(((SsdProspect.LeftOut) SsdProspect.of(sys, foreign)).why()).contains("another state directory");
        assertThat(SsdProspect.of(sys, foreign.withFresh())).isInstanceOf(SsdProspect.Opens.class);
        SsdOptions pages =
                new SsdOptions("ssd0", options.directory(), SsdOptions.CAPACITY_BYTES_MIN, 8192, 1 << 20, false);
        assertThat(SsdProspect.of(sys, pages)).isInstanceOf(SsdProspect.Refused.class);
        Files.delete(options.directory().resolve("slab"));
        assertThat(losses(options)).singleElement().asString().contains("the file slab is missing or empty");
        Files.write(options.directory().resolve("identity"), new byte[0]);
        assertThat(((SsdProspect.LeftOut) SsdProspect.of(sys, options)).why()).contains("identity is empty");
        assertThat(sys.count("flock") + sys.count("unlinkat") + sys.count("pwrite"))
                .isZero();
        assertThat(OpenDescriptors.below(folder)).isZero();
    }

    private List<String> losses(SsdOptions options) {
        return ((SsdProspect.Opens) SsdProspect.of(sys, options)).losses();
    }

    @Test
    void blocksWhoseSlabIsGoneAreToldAsDropped() throws IOException {
        leaveBlock();
        Files.delete(options().directory().resolve("slab"));
        assertThat(reopened().copies().count()).isZero();
        assertThat(Recovery.homeless(7, 0))
                .isEqualTo(
                        "the file slab was missing or empty, and is made anew; the blocks that were in it, 7, are dropped");
        assertThat(Recovery.homeless(7, 9))
                .contains("the 9 pages that the file slab has")
                .contains("dropped");
    }

    @Test
    void whatBeganEmptyIsAnotherDirectory() throws IOException {
        leaveBlock();
        SsdIdentity before = SsdIdentity.read(sys, options().directory()).orElseThrow();
        SsdMedium.openEmpty(sys, options().usedBy(owner(SsdOwner.Claim.KEEP))).close();
        SsdIdentity after = SsdIdentity.read(sys, options().directory()).orElseThrow();
        assertThat(after.directory()).isNotEqualTo(before.directory());
        assertThat(after.state()).isEqualTo(new UUID(1, 2));
    }

    @Test
    void triesThatFailBehindTheCheckpointKeepNoMemoryAndNoFileAndWhatIsToBeginEmptyNeedsNoRecord() throws IOException {
        leaveBlock();
        sys.inject(call -> call.is("pread", "journal-") && call.offset() > 0, new FaultySys.Fail(Errno.EIO));
        long memory = 0;
        for (int i = 0; i < 40; i++) {
            memory = i == 20 ? residentBytes() : memory;
            assertThat(SsdOpening.begin(sys, options()).await(in(10_000))).isInstanceOf(Outcome.Broken.class);
        }
        // The records of one try take 4 MiB at least.
        assertThat(residentBytes() - memory).isLessThan(10L * (4 << 20));
        assertThat(OpenDescriptors.below(folder)).isZero();
        SsdOpening opening = SsdOpening.begin(sys, options());
        Medium medium = standIn(opening, opening.await(in(10_000)));
        // What is to begin empty needs no record of what was there.
        await().until(() -> medium.health().healthy());
        medium.close();
        sys.heal();
        sys.inject(call -> call.is("openat", "journal-1"), new FaultySys.Fail(Errno.EIO));
        for (int i = 0; i < 20; i++) {
            assertThat(SsdOpening.begin(sys, options()).await(in(10_000))).isInstanceOf(Outcome.Broken.class);
        }
        assertThat(OpenDescriptors.below(folder)).isZero();
    }

    private static long residentBytes() throws IOException {
        String pages = Files.readString(Path.of("/proc/self/statm")).split(" ", -1)[1];
        return Long.parseLong(pages) * 4096;
    }

    @Test
    void anErrorWhileADeviceIsTakenBackEndsNoTriesAndKeepsNoLock() {
        sys.inject(call -> call.is("pwrite"), new FaultySys.Fail(Errno.EIO), 1);
        SsdOpening opening = SsdOpening.begin(sys, options());
        Outcome.Broken broken = (Outcome.Broken) opening.await(in(10_000));
        AtomicInteger tries = new AtomicInteger();
        Medium medium = opening.standIn(
                broken.why(),
                ssd -> {
                    if (tries.getAndIncrement() == 0) {
                        throw new OutOfMemoryError("direct buffer memory");
                    }
                },
                PAUSE_MILLIS);
        open.push(medium);
        await().until(() -> medium.health().healthy());
        assertThat(tries.get()).isEqualTo(2);
    }

    /** Each thread that may be at work in the files of a try that fails: the directory is free again when its call is back. */
    @ParameterizedTest
    @ValueSource(strings = {"tidemark-names-", "tidemark-keep-", "tidemark-ends-", "client"})
    void aDirectoryThatACallOfAFailedTryKeepsIsToldSoAndOpenedOnceThatHasComeBack(String thread) throws IOException {
        CountDownLatch hangs = new CountDownLatch(1);
        sys.inject(call -> call.is("pwrite"), new FaultySys.Fail(Errno.EIO), 1);
        SsdOpening opening = SsdOpening.begin(sys, options());
        Outcome.Broken broken = (Outcome.Broken) opening.await(in(10_000));
        sys.inject(call -> isOf(thread, hangs), new FaultySys.Hang(released), 1);
        AtomicInteger tries = new AtomicInteger();
        Medium medium = opening.standIn(
                broken.why(),
                ssd -> {
                    if (tries.getAndIncrement() == 0) {
                        use(ssd, thread, hangs);
                        throw new IllegalStateException("the state directory is full");
                    }
                },
                PAUSE_MILLIS);
        open.push(medium);
        await().until(() -> medium.health().why().contains("still hangs"));
        assertThat(medium.health().why())
                .contains("a call of this process")
                .contains(options().directory() + "");
        long locks = sys.count("flock");
        await().until(() -> sys.count("flock") > locks + 3);
        assertThat(medium.health().why()).contains("still hangs");
        released.countDown();
        await().until(() -> medium.health().healthy());
        assertThat(tries.get()).isEqualTo(2);
        medium.close();
        assertThat(OpenDescriptors.below(folder)).isZero();
    }

    private static boolean isOf(String thread, CountDownLatch hangs) {
        boolean is = Thread.currentThread().getName().startsWith(thread);
        if (is) {
            hangs.countDown();
        }
        return is;
    }

    /** Has that thread make a call, and waits for it. */
    private static void use(SsdMedium ssd, String thread, CountDownLatch hangs) {
        try (Arena arena = Arena.ofConfined()) {
            long copy = put(ssd, arena);
            ssd.copies().doom(copy);
            long mark = ssd.noteEnd(copy); // the keeper writes it soon
            if (thread.equals("tidemark-ends-")) {
                ssd.beginEnds(mark);
            }
            if (thread.equals("client")) {
                Thread.ofPlatform().daemon().name(thread).start(() -> storeSomething(ssd));
            }
            assertThat(hangs.await(10, TimeUnit.SECONDS)).as(thread).isTrue();
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Its device is closed when the call comes back. */
    private static void storeSomething(SsdMedium ssd) {
        try (Arena arena = Arena.ofConfined()) {
            assertThatThrownBy(() -> put(ssd, arena)).isInstanceOf(UnavailableException.class);
        }
    }

    /** What cannot be closed keeps nothing that could: the lock above all, or no later try would get in. */
    @Test
    void aFileThatCannotBeClosedKeepsNeitherTheLockNorTheReason() throws IOException {
        sys.inject(call -> call.is("pread", "checkpoint-0"), new FaultySys.Fail(Errno.EIO));
        sys.inject(call -> call.is("close", "checkpoint-0"), new FaultySys.Fail(Errno.EIO), 1);
        leaveBlock();
        Outcome outcome = SsdOpening.begin(sys, options()).await(in(10_000));
        assertThat(((Outcome.Broken) outcome).why()).contains("pread");
        assertThat(reopened().copies().count()).isOne();
    }

    @Test
    void whatIsAbandonedIsClosedWhenItComes() throws IOException {
        sys.inject(call -> call.is("openat", "slab"), new FaultySys.Hang(released), 1);
        SsdOpening opening = SsdOpening.begin(sys, options());
        assertThat(opening.await(in(20))).isInstanceOf(Outcome.Broken.class);
        opening.abandon();
        released.countDown();
        assertThat(reopened().health().healthy()).isTrue();
    }

    /** Opens the directory as soon as nobody holds it. */
    private SsdMedium reopened() {
        List<SsdMedium> again = new ArrayList<>();
        await().ignoreExceptions().until(() -> again.add(SsdMedium.open(NativeSys.INSTANCE, options())));
        open.push(again.getFirst());
        return again.getFirst();
    }
}
