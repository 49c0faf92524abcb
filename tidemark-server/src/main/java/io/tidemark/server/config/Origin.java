package io.tidemark.server.config;

import java.nio.file.Path;

/** Where the value of a setting came from, lowest precedence first. */
public sealed interface Origin {
    /** Nothing was given. */
    record Default() implements Origin {
        @Override
        public String toString() {
            return "default";
        }
    }

    /** An environment variable of another system, kept for compatibility. */
    record Foreign(String name) implements Origin {
        @Override
        public String toString() {
            return "variable " + name;
        }
    }

    /** The configuration file, at this line (the first is 1). */
    record File(Path file, int line) implements Origin {
        @Override
        public String toString() {
            return file + ":" + line;
        }
    }

    /** An environment variable. */
    record Variable(String name) implements Origin {
        @Override
        public String toString() {
            return "variable " + name;
        }
    }

    /** A flag of the command line. */
    record Flag(String name) implements Origin {
        @Override
        public String toString() {
            return "flag " + name;
        }
    }
}
