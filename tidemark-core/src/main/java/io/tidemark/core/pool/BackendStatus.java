package io.tidemark.core.pool;

import io.tidemark.core.medium.MediumKind;

/**
 * One backend at a moment; bytes are allocated bytes.
 *
 * @param freeBytes space never used and space given back
 * @param doomedBytes space of copies that are no longer findable and still pinned
 * @param pinnedBytes space that running reads hold
 * @param leasedBytes space that look-ups hold
 * @param leavingBytes space of queued and running moves out of this backend
 * @param copies copies of any state
 * @param evictable of these, the ones that may be evicted now
 * @param illness why the backend is out of use; empty while it works
 */
public record BackendStatus(
        String tier,
        String backend,
        MediumKind kind,
        long capacityBytes,
        long freeBytes,
        long reservedBytes,
        long residentBytes,
        long doomedBytes,
        long pinnedBytes,
        long leasedBytes,
        long leavingBytes,
        long highBytes,
        long lowBytes,
        long copies,
        long evictable,
        String illness) {}
