package io.tidemark.server;

import java.util.List;

/**
 * Where a running server can be reached; written to its state directory for {@code status} and {@code evict}.
 *
 * @param version of the server
 * @param redis {@code HOST:PORT} of each Redis port
 * @param sockets paths of the Unix sockets
 * @param http base URL of the admin port
 */
public record Endpoints(long pid, String version, List<String> redis, List<String> sockets, String http) {}
