package io.tidemark.server.resp;

/** What a write does when the pool has no space for it. */
public enum OnFull {
    /** Wait for frees, up to {@link RespLimits#fullWaitMillis}; only this connection stands still. */
    WAIT,
    /** Answer {@code OOM} at once. */
    REJECT
}
