package io.tidemark.server.doctor;

import io.tidemark.server.Endpoints;
import io.tidemark.server.StateDir;
import io.tidemark.server.ThreadNeed;
import io.tidemark.server.config.ConfigException;
import io.tidemark.server.config.Effective;
import io.tidemark.server.config.TidemarkConfig;
import io.tidemark.server.machine.MemoryLimits;
import io.tidemark.server.machine.ThreadLimits;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** The whole examination, in the order in which a person would look. */
public final class Doctor {
    private Doctor() {}

    /** Reads the configuration as {@code serve} would. */
    public interface Source {
        /** The settings in effect. */
        Effective read() throws ConfigException;
    }

    /** Looks at everything; a configuration that cannot be used leaves what does not depend on it. */
    public static List<Finding> examine(Source source, Map<String, String> environment) {
        List<Finding> findings = new ArrayList<>();
        List<Path> stateDirs = new ArrayList<>();
        Optional<TidemarkConfig> config = configuration(source, findings, stateDirs);
        KernelFiles kernel = KernelFiles.ofMachine();
        MachineChecks machine = new MachineChecks(kernel);
        findings.addAll(machine.always(Instant.now()));
        if (config.isPresent()) {
            TidemarkConfig known = config.get();
            Optional<Endpoints> running = StateDir.find(known.stateDir());
            findings.add(machine.descriptors(known));
            findings.add(MachineChecks.threads(
                    ThreadNeed.of(known, Runtime.getRuntime().availableProcessors()),
                    ThreadLimits.ofMachine().tightest(),
                    running.isPresent()));
            findings.add(machine.lockedMemory());
            findings.addAll(new MemoryChecks(kernel, MemoryLimits.ofMachine().tightest(), environment)
                    .all(known, running.isPresent()));
            OptionalLong pid = running.stream().mapToLong(Endpoints::pid).findFirst();
            findings.addAll(new PlaceChecks(known, pid).all());
            findings.addAll(new ListenChecks(known, running).all());
            findings.addAll(ServerChecks.of(known.stateDir()));
        } else {
            findings.add(Finding.warn(
                    "not looked at",
                    "memory, directories, ports and certificates: the configuration is not understood",
                    "correct it and run this again"));
            stateDirs.forEach(path -> findings.addAll(ServerChecks.of(path)));
        }
        return findings;
    }

    private static Optional<TidemarkConfig> configuration(Source source, List<Finding> findings, List<Path> stateDirs) {
        try {
            Effective effective = source.read();
            TidemarkConfig config = effective.config();
            effective
                    .warnings()
                    .forEach(text -> findings.add(Finding.warn("configuration", text, "correct or remove it")));
            if (findings.isEmpty()) {
                findings.add(Finding.ok("configuration", "understood"));
            }
            findings.addAll(SecretChecks.of(effective, config.redis().tls(), Instant.now()));
            return Optional.of(config);
        } catch (ConfigException e) {
            e.stateDir().ifPresent(stateDirs::add);
            e.problems()
                    .forEach(text ->
                            findings.add(Finding.fail("configuration", text, "correct it: it stops the start")));
            return Optional.empty();
        }
    }
}
