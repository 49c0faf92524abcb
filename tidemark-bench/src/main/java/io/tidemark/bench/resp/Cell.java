package io.tidemark.bench.resp;

/**
 * One cell of the benchmark.
 *
 * @param batch commands sent before the first reply is read
 */
record Cell(boolean put, int valueBytes, int clients, int batch) {
    private static final long MEASURE_BYTES = 128L << 20;

    /** Exchanges of each client in one measurement: 128 MiB altogether, and at least one. */
    int exchanges() {
        return (int) Math.max(1, MEASURE_BYTES / ((long) clients * batch * valueBytes));
    }

    /** Values of one measurement. */
    int values() {
        return clients * exchanges() * batch;
    }

    @Override
    public String toString() {
        String size = valueBytes >= 1 << 20 ? (valueBytes >> 20) + " MiB" : (valueBytes >> 10) + " KiB";
        return (put ? "PUT " : "GET ") + size + ", clients " + clients + ", batch " + batch;
    }
}
