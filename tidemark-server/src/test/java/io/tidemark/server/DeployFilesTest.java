package io.tidemark.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Image, units for systemd and the folder that both run: what can be said of them without building them. */
@Timeout(60)
class DeployFilesTest {
    private static final Path ROOT = Path.of(
                    Optional.ofNullable(System.getenv("TIDEMARK_ROOT")).orElse(".."))
            .toAbsolutePath()
            .normalize();
    private static final Path DEPLOY = ROOT.resolve("deploy");

    @TempDir
    private Path folder;

    private static String text(String file) throws IOException {
        return Files.readString(DEPLOY.resolve(file));
    }

    /** What a program says and how it ends; empty where it is not installed. */
    private static Optional<String> run(List<String> command) throws InterruptedException {
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return Optional.of(said + "exit " + process.waitFor());
        } catch (IOException _) {
            return Optional.empty();
        }
    }

    @Test
    void theImageIsBuiltFromTheCheckoutRunsWithoutRootAndNamesNoHost() throws IOException {
        String image = text("Dockerfile");
        List<String> from = Pattern.compile("^FROM (\\S+)", Pattern.MULTILINE)
                .matcher(image)
                .results()
                .map(found -> found.group(1))
                .toList();
        assertThat(from).hasSize(2).noneMatch(name -> name.contains("/"));
        assertThat(image)
                .contains("RUN deploy/package /opt/tidemark")
                .containsPattern("(?m)^USER [1-9]\\d*:[1-9]\\d*$")
                .contains("ENTRYPOINT [\"/opt/tidemark/tidemark\"]");
        assertThat(image.indexOf("USER ")).isGreaterThan(image.lastIndexOf("RUN "));
        // the chart gives the command only
        assertThat(text("helm/tidemark-volume/templates/deployment.yaml")).contains("args: [volume]");
    }

    @Test
    void theImageTheChartWantsIsTheOneThatTheDockerfileSaysHowToBuild() throws IOException {
        String version = text("helm/tidemark-volume/Chart.yaml").replaceAll("(?s).*appVersion: \"([^\"]+)\".*", "$1");
        assertThat(text("helm/tidemark-volume/values.yaml")).contains("repository: tidemark\n");
        assertThat(text("Dockerfile")).contains("-t tidemark:" + version + " .");
    }

    @Test
    void systemdTakesTheUnits() throws Exception {
        assumeTrue(run(List.of("systemd-analyze", "--version")).isPresent(), "needs systemd-analyze");
        List<String> command = new ArrayList<>(List.of("systemd-analyze", "verify", "--man=no"));
        for (String unit : List.of("tidemark.service", "tidemark-volume@.service")) {
            String here = text("systemd/" + unit).replace("/opt/tidemark/tidemark", ROOT + "/tidemark");
            command.add(Files.writeString(folder.resolve(unit.replace("@", "@models")), here)
                    .toString());
        }
        assertThat(run(command)).hasValue("exit 0");
    }

    @Test
    void scriptsParseAndTheirFolderHasToBeEmpty() throws Exception {
        String script = DEPLOY.resolve("package").toString();
        assertThat(run(List.of("sh", "-n", script))).hasValue("exit 0");
        Files.createFile(folder.resolve("other"));
        assertThat(run(List.of(script, folder.toString())))
                .hasValueSatisfying(
                        said -> assertThat(said).contains("is not empty").endsWith("exit 1"));
    }
}
