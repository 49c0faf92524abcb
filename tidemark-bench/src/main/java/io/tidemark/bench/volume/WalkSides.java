package io.tidemark.bench.volume;

import io.tidemark.bench.harness.Side;
import io.tidemark.core.medium.NativeDirectoryCalls;
import io.tidemark.core.volume.VolumeScan;
import io.tidemark.server.volume.VolumeScans;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Walks over a mounted volume; files a second. */
final class WalkSides {
    private WalkSides() {}

    /** Our walk, in this process. */
    record Ours(LoopVolume volume, int threads) implements Side {
        @Override
        public String name() {
            return "walk";
        }

        @Override
        public double measure() throws Exception {
            VolumeScan.Report report = VolumeScans.scan(
                    new NativeDirectoryCalls(), volume.cache(), VolumeScans.layout("fs", false), threads, seen -> {});
            return report.files() / report.seconds();
        }
    }

    /** The walk of another evictor: a command that gets the root and how many threads, and prints files and seconds. */
    record Peer(List<String> command, LoopVolume volume, int threads) implements Side {
        @Override
        public String name() {
            return "peer";
        }

        @Override
        public double measure() throws Exception {
            List<String> words = new ArrayList<>(command);
            words.add(volume.cache().toString());
            words.add(Integer.toString(threads));
            String[] said = Commands.run(words.toArray(String[]::new)).split(" ", -1);
            if (Long.parseLong(said[0]) != volume.files()) {
                throw new IOException(words + " saw " + said[0] + " files; expected " + volume.files());
            }
            return volume.files() / Double.parseDouble(said[1]);
        }
    }

    /** The walk in C, in a process of its own that measures itself. */
    record InC(LoopVolume volume, Reference reference, int threads) implements Side {
        @Override
        public String name() {
            return "C";
        }

        @Override
        public double measure() throws Exception {
            return reference.walk(volume.cache(), threads).perSecond();
        }
    }
}
