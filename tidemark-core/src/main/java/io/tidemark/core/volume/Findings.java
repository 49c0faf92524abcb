package io.tidemark.core.volume;

/**
 * Where a walk puts what it finds: ages of files into the census, files to be kept or called due to the sorter, empty
 * folders into the queue of the cleaner, those that it cannot read apart; what it has to pass over is counted.
 */
record Findings(Census census, FileSorter sorter, FolderQueue folders, UnreadFolders unread, VolumeCounters counters) {}
