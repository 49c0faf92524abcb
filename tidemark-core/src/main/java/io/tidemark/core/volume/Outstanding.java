package io.tidemark.core.volume;

import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongFunction;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Bytes that deleters have taken out of the ready buffer and not dealt with yet. What one has taken the others do not
 * take again: together they never hold more than is needed, so that none of them goes on to hotter files while another
 * still has colder ones. The lock is for those who take, and held over the memory work of one poll.
 */
final class Outstanding {
    private final AtomicLong bytes = new AtomicLong();

    /**
     * Takes files of at most {@code neededBytes}, less what is outstanding.
     *
     * @param neededBytes asked after what is outstanding: a freed file leaves the need before it is settled, so that the
     *     difference is never more than is really missing
     * @param poll takes files of so many bytes out of the buffer
     */
    synchronized List<VolumeFile> take(LongSupplier neededBytes, LongFunction<List<VolumeFile>> poll) {
        long outstanding = bytes.get();
        long more = neededBytes.getAsLong() - outstanding;
        if (more <= 0) {
            return List.of();
        }
        List<VolumeFile> taken = poll.apply(more);
        bytes.addAndGet(taken.stream().mapToLong(VolumeFile::bytes).sum());
        return taken;
    }

    /** Takes one file though no more is needed: all that has been taken may fail. */
    synchronized List<VolumeFile> takeOne(Supplier<List<VolumeFile>> poll) {
        List<VolumeFile> taken = poll.get();
        bytes.addAndGet(taken.stream().mapToLong(VolumeFile::bytes).sum());
        return taken;
    }

    void settled(VolumeFile file) {
        long left = bytes.addAndGet(-file.bytes());
        assert left >= 0 : "more settled than taken";
    }
}
