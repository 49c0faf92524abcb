package io.tidemark.core.medium;

import java.nio.file.Path;
import java.util.Optional;
import java.util.UUID;

/** Whose blocks lie in directories, and which of these it used last. Called by the threads that open directories. */
public interface SsdOwner {
    /** One who takes every directory as it is. */
    SsdOwner OF_ANY = new SsdOwner() {
        private static final UUID NIL = new UUID(0, 0);

        @Override
        public UUID state() {
            return NIL;
        }

        @Override
        public Claim judge(SsdIdentity found) {
            return Claim.KEEP;
        }
    };

    /** What may be done with a directory. */
    enum Claim {
        /** Its blocks are served. */
        KEEP,
        /** It is ours, and what was discarded meanwhile may not be recorded there: its blocks are thrown away. */
        EMPTY,
        /** It is not provably ours: nothing in it is served or touched. */
        FOREIGN
    }

    /** Written into directories that it begins. */
    UUID state();

    /** What may be done with a directory that says this of itself. */
    Claim judge(SsdIdentity found);

    /** The state directory of the server that used a directory last, which says this of itself; empty: not known. */
    default Optional<Path> stateDirOf(Path directory, SsdIdentity found) {
        return Optional.empty();
    }
}
