package io.tidemark.core.volume;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Files that a deleter has taken out of the ready buffer and not dealt with yet, in the order in which they are tried. A file is
 * here once, as it was seen last. Of one thread.
 */
final class HeldFiles {
    /** By itself: a file is the same whatever was seen of it. */
    private final Map<VolumeFile, VolumeFile> files = new LinkedHashMap<>();

    int size() {
        return files.size();
    }

    boolean contains(VolumeFile file) {
        return files.containsKey(file);
    }

    /** In the order in which they are tried. */
    Iterator<VolumeFile> iterator() {
        return files.values().iterator();
    }

    List<VolumeFile> list() {
        return List.copyOf(files.values());
    }

    /** Holds a file, behind all others. */
    void add(VolumeFile file) {
        files.put(file, file);
    }

    /** Holds a file no more; as it was held, if it was. */
    Optional<VolumeFile> remove(VolumeFile file) {
        return Optional.ofNullable(files.remove(file));
    }

    /** Has a file that failed tried again behind all others, and those beside it before it alone: the directory may be what fails. */
    void failed(VolumeFile file) {
        remove(file).ifPresent(kept -> {
            List<VolumeFile> beside =
                    files.values().stream().filter(file::isBeside).toList();
            beside.forEach(files::remove);
            beside.forEach(this::add);
            add(kept);
        });
    }

    /** The first {@link VolumeRefusals#TRIES}; of a directory that cannot be opened one. */
    List<VolumeFile> tries(VolumeRefusals refusals) {
        List<VolumeFile> chosen = new ArrayList<>();
        for (VolumeFile file : files.values()) {
            boolean same = refusals.keepsFolderOf(file) && chosen.stream().anyMatch(file::isBeside);
            if (!same && chosen.size() < VolumeRefusals.TRIES) {
                chosen.add(file);
            }
        }
        return chosen;
    }
}
