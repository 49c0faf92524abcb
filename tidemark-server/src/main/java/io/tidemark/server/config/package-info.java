/**
 * Configuration: variables of UMBP, one YAML file, {@code TIDEMARK_*} variables and flags, in rising precedence, into records; and
 * the graph of tiers, from the file, from UMBP's policy file, or from the settings of memory and SSD.
 *
 * <p>Unknown keys and impossible values are refused with file and line. May use: {@code index.policy} for
 * the names of policies, the listeners of {@code server.resp}, and {@code server.machine} for what is wrong with files; nothing else
 * of the server.
 */
@NullMarked
package io.tidemark.server.config;

import org.jspecify.annotations.NullMarked;
