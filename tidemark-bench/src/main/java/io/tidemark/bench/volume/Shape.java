package io.tidemark.bench.volume;

/** How files spread over directories; what a walk costs depends on it more than on anything else. */
enum Shape {
    /** 1,024 leaf directories: hundreds of files in each, as on a volume that has been in use for long. */
    DENSE(256, 4),
    /** A million leaf directories, as hashes fill them: about one file in each. */
    HASH(4096, 256);

    private final int buckets;
    private final int leaves;

    Shape(int buckets, int leaves) {
        this.buckets = buckets;
        this.leaves = leaves;
    }

    int buckets() {
        return buckets;
    }

    int leaves() {
        return leaves;
    }

    /** Directories that so many files lie in, as expected of random names. */
    long directories(long files) {
        return occupied(files, (double) buckets * leaves) + occupied(files, buckets);
    }

    private static long occupied(long files, double places) {
        return Math.round(places * -Math.expm1(-files / places));
    }
}
