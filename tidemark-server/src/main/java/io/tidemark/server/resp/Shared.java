package io.tidemark.server.resp;

import io.tidemark.server.resp.command.Environment;
import io.tidemark.server.resp.wire.TlsMaterial;
import java.util.Optional;

/** What the connections of a server share. */
record Shared(Environment environment, RespLimits limits, ReadAhead readAhead, Optional<TlsMaterial> tls) {}
