package io.tidemark.core.volume;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class GovernorTest {
    private static final long INTERVAL_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    private final TestClocks clocks = new TestClocks();
    private final DeletionGrant grant = new DeletionGrant(clocks);
    private final Governor governor = new Governor(new Thresholds(85, 70, 95, 3600), grant, INTERVAL_NANOS);

    private static Usage used(long percent) {
        return new Usage(percent * 10, 1000, 0, 0);
    }

    @Test
    void g72_startsAtTheCleanupMarkAndEndsAtTheTargetOnly() {
        assertThat(governor.observe(used(84), 1)).isEqualTo(Governor.Change.NONE);
        assertThat(governor.observe(used(85), 1)).isEqualTo(Governor.Change.STARTED);
        assertThat(governor.observe(used(71), 1)).isEqualTo(Governor.Change.NONE);
        assertThat(governor.observe(used(70), 1)).isEqualTo(Governor.Change.ENDED);
        assertThat(governor.observe(used(84), 1)).isEqualTo(Governor.Change.NONE);
        assertThat(grant.open()).isFalse();
    }

    @Test
    void g72_pairsThatCannotHoldAreRefused() {
        for (double[] pair : new double[][] {{70, 85}, {70, 70}, {0, 0}, {101, 70}, {85, 0}, {85, -1}}) {
            assertThatThrownBy(() -> new Thresholds(pair[0], pair[1], 100, 0))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void theGrantIsTheWayToTheTargetAndOurShareOfIt() {
        governor.observe(used(90), 0.25);
        assertThat(grant.remainingBytes()).isEqualTo(50);
    }

    @Test
    void aGrantIsLoweredButNeverRaisedWhileItLasts() {
        governor.observe(used(90), 1);
        grant.used(150);
        governor.observe(used(90), 1);
        assertThat(grant.remainingBytes()).as("the file system gives back late").isEqualTo(50);
        governor.observe(used(72), 1);
        assertThat(grant.remainingBytes()).as("somebody else freed").isEqualTo(20);
    }

    @Test
    void aUsedUpGrantIsRenewedAfterOneQuietLook() {
        governor.observe(used(90), 1);
        grant.used(200);
        governor.observe(used(88), 1);
        assertThat(grant.open()).isFalse();
        governor.observe(used(80), 1);
        assertThat(grant.remainingBytes()).isEqualTo(100);
    }

    @Test
    void aGrantThatNobodyConfirmsEndsByItself() {
        governor.observe(used(90), 1);
        assertThat(grant.open()).isTrue();
        clocks.passTime(Duration.ofSeconds(2));
        assertThat(grant.open()).isFalse();
    }

    @Test
    void inodesAloneSwitchDeletionOn() {
        Usage inodes = new Usage(10, 1000, 900, 1000);
        assertThat(governor.observe(inodes, 1)).isEqualTo(Governor.Change.STARTED);
        assertThat(grant.remainingBytes()).isZero();
        assertThat(grant.remainingFiles()).isEqualTo(200);
    }

    @Test
    void aboveTheCriticalMarkNoAgeProtects() {
        governor.observe(used(94), 1);
        assertThat(governor.critical()).isFalse();
        governor.observe(used(95), 1);
        assertThat(governor.critical()).isTrue();
    }
}
