package io.tidemark.server.cli;

import io.tidemark.server.doctor.Doctor;
import io.tidemark.server.doctor.Finding;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code tidemark doctor}. Exit code 1 when something would stop a start, or a server that runs does not serve. */
@Command(
        name = "doctor",
        description =
                "Checks the machine, the configuration that `serve` would use, and the server if one runs, and says what"
                        + " to do. Changes nothing.",
        sortOptions = false)
final class DoctorCommand implements Callable<Integer> {
    @Mixin
    private Output output;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        List<Finding> findings = Doctor.examine(
                () -> SettingFlags.effective(spec.commandLine().getParseResult(), System.getenv()), System.getenv());
        int width = findings.stream()
                .mapToInt(finding -> finding.check().length())
                .max()
                .orElse(0);
        findings.forEach(finding -> show(finding, width));
        long failures = count(findings, Finding.Level.FAIL);
        long warnings = count(findings, Finding.Level.WARN);
        if (output.json()) {
            Map<String, Object> sum = new LinkedHashMap<>();
            sum.put("check", "all");
            sum.put("ok", count(findings, Finding.Level.OK));
            sum.put("warn", warnings);
            sum.put("fail", failures);
            output.object(sum);
        } else {
            output.text("%d to repair, %d to look at".formatted(failures, warnings));
        }
        return failures == 0 ? 0 : 1;
    }

    private void show(Finding finding, int width) {
        if (output.json()) {
            Map<String, String> line = new LinkedHashMap<>();
            line.put("check", finding.check());
            line.put("level", finding.level().word());
            line.put("found", finding.found());
            line.put("advice", finding.advice());
            output.object(line);
            return;
        }
        String check = finding.check() + " ".repeat(width - finding.check().length());
        output.text(String.format(Locale.ROOT, "%-4s  %s  %s", finding.level().word(), check, finding.found()));
        if (!finding.advice().isEmpty()) {
            output.text(" ".repeat(width + 8) + "-> " + finding.advice());
        }
    }

    private static long count(List<Finding> findings, Finding.Level level) {
        return findings.stream().filter(finding -> finding.level() == level).count();
    }
}
