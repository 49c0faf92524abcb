package io.tidemark.server.machine;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Finds which process listens on an address that could not be bound, so that the message can name it. Best effort. */
public final class SocketOwner {
    private static final Path PROC = Path.of("/proc");
    private static final int LOOKS = 3;

    private SocketOwner() {}

    /** The process that holds a Unix socket. */
    public static Optional<String> ofUnix(Path socket) {
        return again(() -> inode(PROC.resolve("net/unix"), line -> line.endsWith(" " + socket), 6)
                .flatMap(SocketOwner::holder));
    }

    /** The process that listens on a TCP port. */
    public static Optional<String> ofTcp(int port) {
        String suffix = ":%04X".formatted(port);
        return again(() -> Stream.of("net/tcp", "net/tcp6")
                .flatMap(table -> inode(
                        PROC.resolve(table),
                        line -> {
                            String[] columns = line.split(" +", -1);
                            return columns.length > 9 && columns[1].endsWith(suffix) && columns[3].equals("0A");
                        },
                        9)
                        .stream())
                .findFirst()
                .flatMap(SocketOwner::holder));
    }

    /** The kernel's tables change while they are read, and lines are missed then. */
    private static Optional<String> again(Supplier<Optional<String>> look) {
        return Stream.generate(look).limit(LOOKS).flatMap(Optional::stream).findFirst();
    }

    private static Optional<String> inode(Path table, Predicate<String> wanted, int column) {
        try {
            return Files.readAllLines(table).stream()
                    .map(String::strip)
                    .filter(wanted)
                    .map(line -> line.split(" +", -1)[column])
                    .findFirst();
        } catch (IOException _) {
            return Optional.empty();
        }
    }

    private static Optional<String> holder(String inode) {
        String link = "socket:[" + inode + "]";
        try (Stream<Path> processes = Files.list(PROC)) {
            return processes
                    .filter(path -> path.getFileName().toString().matches("\\d+"))
                    .filter(path -> descriptors(path).contains(link))
                    .map(path -> "process " + path.getFileName())
                    .findFirst();
        } catch (IOException | UncheckedIOException _) {
            return Optional.empty();
        }
    }

    private static List<String> descriptors(Path process) {
        try (Stream<Path> open = Files.list(process.resolve("fd"))) {
            return open.map(SocketOwner::target).toList();
        } catch (IOException | UncheckedIOException _) { // a process that ends while it is looked at
            return List.of();
        }
    }

    private static String target(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).toString();
        } catch (IOException _) {
            return "";
        }
    }
}
