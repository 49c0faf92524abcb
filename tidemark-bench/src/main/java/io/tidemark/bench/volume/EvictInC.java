package io.tidemark.bench.volume;

import io.tidemark.bench.harness.Side;

/** The coldest files of a fresh volume removed in C, after one walk over all; files a second, see {@link Trigger}. */
record EvictInC(LoopVolume volume, Reference reference, int threads, double targetPercent, Trigger trigger)
        implements Side {
    @Override
    public String name() {
        return "C";
    }

    @Override
    public double measure() throws Exception {
        volume.fresh();
        reference.walk(volume.cache(), threads);
        long total = volume.totalBytes();
        double need = volume.usedBytes() - total * targetPercent / 100;
        double percent = 100 * need / LoopVolume.fileBytes() / volume.files();
        Reference.Result result = reference.evict(volume.cache(), threads, percent);
        return switch (trigger) {
            case START -> result.perSecond();
            case FILL -> result.files() / result.lastSeconds();
        };
    }
}
