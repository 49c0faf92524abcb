package io.tidemark.server.metrics;

import java.util.Comparator;

/** A backend in its tier, as the labels of a metric name it; empty where they name none. */
record Place(String tier, String backend) implements Comparable<Place> {
    static Place of(String... labels) {
        return new Place(label("tier", labels), label("backend", labels));
    }

    /** The value of a label; empty without that label. */
    static String label(String name, String... labels) {
        for (int index = 0; index + 1 < labels.length; index += 2) {
            if (labels[index].equals(name)) {
                return labels[index + 1];
            }
        }
        return "";
    }

    @Override
    public int compareTo(Place other) {
        return Comparator.comparing(Place::tier).thenComparing(Place::backend).compare(this, other);
    }
}
