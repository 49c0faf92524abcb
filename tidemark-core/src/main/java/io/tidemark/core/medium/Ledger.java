package io.tidemark.core.medium;

/** The account of one medium. */
public final class Ledger {}
