package io.tidemark.bench.volume;

import io.tidemark.bench.harness.Side;
import io.tidemark.core.medium.NativeDirectoryCalls;
import io.tidemark.core.volume.VolumeScan;
import io.tidemark.server.volume.VolumeScans;

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
