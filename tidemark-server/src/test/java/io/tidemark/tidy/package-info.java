/** Style of the whole repository, kept by an ordinary test. */
@NullMarked
package io.tidemark.tidy;

import org.jspecify.annotations.NullMarked;
