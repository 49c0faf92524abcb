package io.tidemark.core.volume;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.List;
import java.util.function.LongFunction;
import java.util.function.LongSupplier;

/**
 * Bytes that deleters have taken out of the ready buffer and not dealt with yet. What one has taken the others do not
 * take again: together they never hold more than is needed, so that none of them goes on to hotter files while another
 * still has colder ones. Guarded by itself; held over the memory work of one poll.
 */
final class Outstanding {
    @GuardedBy("this")
    private long bytes;

    /**
     * Takes files of at most {@code neededBytes}, less what is outstanding.
     *
     * @param neededBytes asked under the lock: a freed file leaves the need before it is settled, so that the difference
     *     is never more than is really missing
     * @param poll takes files of so many bytes out of the buffer
     */
    synchronized List<VolumeFile> take(LongSupplier neededBytes, LongFunction<List<VolumeFile>> poll) {
        long more = neededBytes.getAsLong() - bytes;
        if (more <= 0) {
            return List.of();
        }
        List<VolumeFile> taken = poll.apply(more);
        taken.forEach(file -> bytes += file.bytes());
        return taken;
    }

    synchronized void settled(VolumeFile file) {
        bytes -= file.bytes();
        assert bytes >= 0 : "more settled than taken";
    }
}
