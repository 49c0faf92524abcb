/**
 * Helpers shared by the tests of all modules.
 */
@NullMarked
package io.tidemark.testing;

import org.jspecify.annotations.NullMarked;
