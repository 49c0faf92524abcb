package io.tidemark.server.resp;

import io.tidemark.server.resp.command.Environment;

/** What the connections of a server share. */
record Shared(Environment environment, RespLimits limits, SpaceWaiters spaceWaiters, ReadAhead readAhead) {}
