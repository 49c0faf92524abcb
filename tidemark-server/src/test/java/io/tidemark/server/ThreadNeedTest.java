package io.tidemark.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.server.machine.ThreadLimits;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ThreadNeedTest {
    private static String refusal(long threads) {
        return new ThreadNeed(50, 160).refusal(Optional.of(new ThreadLimits.Limit(threads, 600, "a test", "x to")));
    }

    @Test
    void onlyALimitThatIsShortIsBlamedForARefusedThread() {
        assertThat(refusal(759))
                .endsWith("600 threads of 759 are there (a test); a server with these settings takes"
                        + " 50 to start and up to 160; raise x to 760");
        assertThat(refusal(126_000))
                .isEqualTo(new ThreadNeed(50, 160).refusal(Optional.empty()))
                .doesNotContain("raise")
                .contains("vm.max_map_count", "free memory");
    }
}
