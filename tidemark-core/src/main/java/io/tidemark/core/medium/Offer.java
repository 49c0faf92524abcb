package io.tidemark.core.medium;

/**
 * A proposed victim. An offer frees nothing and promises nothing: the victim is validated again when it is freed.
 *
 * @param handle names the copy (with its generation) or file
 * @param bytes what freeing it would give back, in allocated bytes
 */
public record Offer<H>(H handle, long bytes) {}
