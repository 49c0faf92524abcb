package io.tidemark.index.prefix;

/** What the tree may ask the device's allocator. */
public interface DeviceRoom {
    /** Units that can be allocated now. */
    long freeUnits();
}
