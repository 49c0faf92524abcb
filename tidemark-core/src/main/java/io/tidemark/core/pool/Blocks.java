package io.tidemark.core.pool;

/**
 * What finds the blocks of a pool, knows of them and changes them, under the entry locks.
 *
 * @param index finds entries by key and by id
 * @param entries what is known of an entry and its copies
 * @param states the one place where copies change state
 */
record Blocks(EntryIndex index, Entries entries, CopyStates states) {}
