package io.tidemark.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.server.config.Setting;
import io.tidemark.server.config.Settings;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

class PlainFlagsTest {
    private static PlainFlags picocli(CommandLine line, String... args) {
        try {
            String[] words = Stream.concat(Stream.of("serve"), Stream.of(args)).toArray(String[]::new);
            return SettingFlags.plain(line.parseArgs(words).subcommand());
        } catch (ParameterException e) {
            throw new AssertionError(String.join(" ", args), e);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "--json",
                "--dram 1Gi --ssd=4Gi --json",
                "--config tidemark.yaml --dram=1Gi",
                "--config=a=b.yaml",
                "--fresh",
                "--fresh --dram 2Gi",
                "--fresh=true --json",
                "--fresh true --ssd --json",
                "--ssd-dir /a --ssd-dir=/b,/c --ssd 1Gi",
                "--redis-bind [::1]:6379 --http-port 0",
            })
    void readsAsPicocliDoes(String line) {
        String[] args = line.isEmpty() ? new String[0] : line.split(" ");
        assertThat(PlainFlags.read(args, 0)).contains(picocli(Commands.commandLine(), args));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--help",
                "-h",
                "serve",
                "--dram",
                "--dram --json",
                "--dram=",
                "--dram -1",
                "--dram 1Gi --dram 2Gi",
                "--json --json",
                "--json=true",
                "--nonsense 1",
                "--config",
                "--",
                "@file",
                "--dram @file",
                "--state-dir 'a'",
            })
    void leavesTheRestToPicocli(String line) {
        assertThat(PlainFlags.read(line.split(" "), 0)).isEmpty();
    }

    /** Of any words that may stand in a command line, what is plain here is the same there. */
    @Test
    void whatIsPlainIsWhatPicocliReads() {
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        CommandLine line = Commands.commandLine();
        List<String> words =
                new ArrayList<>(List.of("--json", "--config", "--config=x", "value", "1Gi", "a=b", "-", "@"));
        for (Setting<?> setting : Settings.all()) {
            words.addAll(List.of(setting.flag(), setting.flag() + "=7", setting.flag() + "=a=b"));
        }
        int plain = 0;
        for (int round = 0; round < 3_000; round++) {
            String[] args = random.ints(random.nextInt(6), 0, words.size())
                    .mapToObj(words::get)
                    .toArray(String[]::new);
            if (PlainFlags.read(args, 0).isPresent()) {
                plain++;
                assertThat(PlainFlags.read(args, 0)).as(String.join(" ", args)).contains(picocli(line, args));
            }
        }
        assertThat(plain).isGreaterThan(300);
    }

    @Test
    void aRepeatedFlagOfManyValuesKeepsAll() {
        PlainFlags flags = PlainFlags.read(new String[] {"--ssd-dir", "/a", "--ssd-dir", "/b"}, 0)
                .orElseThrow();
        assertThat(flags.values())
                .hasEntrySatisfying(
                        "ssd.directories", given -> assertThat(given.text()).isEqualTo("/a,/b"));
    }
}
