package io.tidemark.bench.volume;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ProcessTreeTest {
    /** A program that says when its child is there. */
    private static ProcessTree started(String script) throws Exception {
        Process process = new ProcessBuilder("sh", "-c", script).start();
        BufferedReader output = process.inputReader();
        assertThat(output.readLine()).isEqualTo("ready");
        return new ProcessTree(process);
    }

    private static void assertNoneIsLeft(ProcessTree tree, List<ProcessHandle> children) throws Exception {
        assertThat(children).isNotEmpty();
        assertThat(tree.isAlive()).isFalse();
        for (ProcessHandle child : children) {
            child.onExit().get(20, TimeUnit.SECONDS);
        }
    }

    @Test
    void aProgramThatHearsNoSignalEndsWithItsChildren() throws Exception {
        ProcessTree tree = started("trap '' TERM; sleep 600 & sleep 600 & echo ready; wait");
        List<ProcessHandle> children = tree.root().descendants().toList();
        tree.stop(50);
        assertNoneIsLeft(tree, children);
    }

    @Test
    void childrenOfAProgramThatEndsAtOnceAreEnded() throws Exception {
        ProcessTree tree = started("(trap '' TERM; exec sleep 600) & echo ready; wait");
        List<ProcessHandle> children = tree.root().descendants().toList();
        tree.stop(10_000);
        assertNoneIsLeft(tree, children);
    }

    @Test
    void memoryAndTimeOfChildrenCount() throws Exception {
        ProcessTree alone = started("echo ready; read line");
        ProcessTree family = started(
                "i=0; (while [ $i -lt 300000 ]; do i=$((i + 1)); done); sleep 600 & sleep 600 & echo ready; wait");
        try {
            assertThat(family.residentMib()).isGreaterThan(1.5 * alone.residentMib());
            assertThat(family.cpuSeconds()).isGreaterThan(alone.cpuSeconds());
        } finally {
            alone.stop(50);
            family.stop(50);
        }
    }
}
