package io.tidemark.core.medium;

/** State, facts and order of the copies in one medium. */
public final class CopyTable {}
