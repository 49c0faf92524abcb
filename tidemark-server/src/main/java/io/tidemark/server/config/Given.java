package io.tidemark.server.config;

/** A value as it was written, before it is understood, and where. */
public record Given(String text, Origin origin) {}
