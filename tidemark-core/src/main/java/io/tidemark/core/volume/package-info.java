/**
 * The shared volume: finds the coldest files of a KV cache that others write, and removes them when the volume fills.
 *
 * <p>A volume is measured, not owned. The crawler walks it and counts allocated bytes by age ({@code Census}), the
 * coldest files seen are kept ready ({@code ReadyBuffer}), {@code VolumeSource} offers them and {@code FileReclaimer}
 * frees them, each one checked again right before; {@code Evictor} of the pool is the only caller of that. The right to
 * free is a byte budget that expires ({@code DeletionGrant}).
 *
 * <p>May use: {@code core.medium}, {@code core.pool}. Locks, none held over a system call: the
 * governor's, above those of the grant and of the joint deletion; all others are leaves: the ready buffer's, the census', the
 * crawl board's, the folder queue's.
 */
@NullMarked
package io.tidemark.core.volume;

import org.jspecify.annotations.NullMarked;
