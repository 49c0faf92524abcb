/**
 * The shared volume: finds the coldest files of a KV cache that others write, and removes them when the volume fills.
 *
 * <p>A volume is measured, not owned. The crawler walks it and counts allocated bytes by age ({@code Census}), the
 * coldest files seen are kept ready ({@code ReadyBuffer}), {@code VolumeSource} offers them and {@code FileReclaimer}
 * frees them, each one checked again right before; {@code Evictor} of the pool is the only caller of that. The right to
 * free is a byte budget that expires ({@code DeletionGrant}). A file that refuses to go is left out ({@code RefusedFiles}), what the volume
 * refuses for the moment keeps its place ({@code VolumeRefusals}).
 *
 * <p>{@code VolumeSweeper} is the face; a class for each role makes its steps ({@code ConductorRole}, {@code CrawlerRoles},
 * {@code ActivatorRole}, {@code DeleterRoles}, {@code FolderCleaner}, {@code KeeperRole}) with what its constructor is given,
 * and {@code SweeperAssembly} is the one place that makes the parts and gives them out.
 *
 * <p>To read it, class by class. A start: {@code VolumeConfig}, {@code VolumeSweeper.of}, {@code SweeperAssembly}. A walk: {@code ConductorRole},
 * {@code WalkTiming} (is one due), {@code Harvest} (begins), {@code CrawlConductor}, {@code RankFinder}, {@code CrawlBoard}, {@code Crawler},
 * {@code FileSorter} with {@code LastUse}, {@code AgeHistogram} and {@code ReadyBuffer} (what it takes: {@code Intake}), {@code Census}, and
 * {@code Harvest} (ended). An eviction: {@code ActivatorRole}, {@code Activator}, {@code Governor}, {@code DeletionGrant}, {@code DeleterRoles},
 * {@code Deleter}, the pool's {@code Evictor}, {@code VolumeSource} with {@code Cutoffs} and {@code ReadyBuffer}, {@code FileReclaimer},
 * {@code Removals}, {@code GoneFiles}, {@code FolderQueue}, {@code FolderCleaner}.
 *
 * <p>May use: {@code core.medium}, {@code core.pool}. Locks, none held over a system call, in this order: that of
 * {@code Outstanding} (while files are taken out of the ready buffer); the governor's, above those of grant and joint deletion;
 * that of {@code Cutoffs}, above those of the census, of the grant, of unread folders and of the books of refused and rehearsed
 * files; that of the ready buffer, above {@code Intake}'s. All others are leaves.
 */
@NullMarked
package io.tidemark.core.volume;

import org.jspecify.annotations.NullMarked;
