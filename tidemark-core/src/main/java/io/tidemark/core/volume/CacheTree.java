package io.tidemark.core.volume;

import io.tidemark.core.medium.DirectoryCalls;

/**
 * The tree of directories that the cache is: where it begins, how its names are to be read, and the calls by which
 * everything in it is reached.
 */
record CacheTree(DirectoryCalls calls, VolumeRoot root, Layout layout) {}
