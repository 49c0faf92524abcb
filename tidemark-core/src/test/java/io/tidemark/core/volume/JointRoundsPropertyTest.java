package io.tidemark.core.volume;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Schedules of several sweepers by seed: they come, die, are frozen, read leases late, and see their clocks jump, while
 * the volume is filled and emptied. Whatever the schedule, the target is undershot by a batch of each at most, and once
 * nothing happens any more every round comes to its end.
 */
class JointRoundsPropertyTest {
    private static final int SCHEDULES = 600;
    private static final int SCHEDULES_WITH_FILES = 24;
    private static final int SCHEDULES_GIVING_BACK_LATE = 200;

    @TempDir
    private Path folder;

    @Test
    void whateverTheScheduleTheTargetIsUndershotByABatchOfEachAndRoundsEnd() throws IOException {
        for (int i = 0; i < SCHEDULES; i++) {
            play(new JointSchedule(9_000L + i, new SharedRecords(6_000), JointSchedule.Trouble.ANY));
        }
    }

    /** With leases as they are, in files. */
    @Test
    void soItIsWithLeaseFiles() throws IOException {
        for (int i = 0; i < SCHEDULES_WITH_FILES; i++) {
            Path leases = Files.createDirectory(folder.resolve("leases-" + i));
            play(new JointSchedule(19_000L + i, new LeasedShards(leases), JointSchedule.Trouble.ANY));
        }
    }

    /**
     * The volume shows what was freed up to two seconds later, and sweepers die. They read each other's leases at once: where
     * those are late too, two may begin without knowing of each other, and the target can be undershot by more.
     */
    @Test
    void whereTheVolumeGivesBackLateTheDeathOfSweepersLeadsToNoSecondSweep() throws IOException {
        for (int i = 0; i < SCHEDULES_GIVING_BACK_LATE; i++) {
            play(new JointSchedule(29_000L + i, new SharedRecords(0), JointSchedule.Trouble.LATE_AND_DEATHS));
        }
    }

    private static void play(JointSchedule schedule) throws IOException {
        schedule.trouble();
        schedule.calm();
        assertThat(schedule.problem()).as("%s", schedule).isEmpty();
    }
}
