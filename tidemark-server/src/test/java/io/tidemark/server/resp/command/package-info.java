@org.jspecify.annotations.NullMarked
package io.tidemark.server.resp.command;
