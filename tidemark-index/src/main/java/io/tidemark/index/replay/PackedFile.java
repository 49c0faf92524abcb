package io.tidemark.index.replay;

import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

/** A gzip file. What is wrong with it is told with its name, and how far it could be unpacked. */
final class PackedFile extends FilterInputStream {
    private static final int BUFFER = 1 << 16;

    private final Path path;
    private long unpacked;

    /** Takes over {@code file}, and closes it when it is no gzip file. */
    PackedFile(InputStream file, Path path) throws IOException {
        super(begun(file, path));
        this.path = path;
    }

    private static InputStream begun(InputStream file, Path path) throws IOException {
        try {
            return new GZIPInputStream(file, BUFFER);
        } catch (EOFException e) {
            file.close();
            throw told(new TraceFormatException(path + ": is empty or cut off; expected a gzip file"), e);
        } catch (ZipException e) {
            file.close();
            throw told(new TraceFormatException(path + ": is not packed; expected a gzip file, as the name says"), e);
        }
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] to, int offset, int length) throws IOException {
        try {
            int got = in.read(to, offset, length);
            unpacked += Math.max(0, got);
            return got;
        } catch (EOFException e) {
            throw told(wrong("the gzip file is cut off"), e);
        } catch (ZipException e) {
            throw told(wrong("the gzip file is damaged"), e);
        }
    }

    private TraceFormatException wrong(String what) {
        return new TraceFormatException(
                path + ": " + what + "; expected a whole one, but it ends after " + unpacked + " bytes of text");
    }

    private static TraceFormatException told(TraceFormatException what, IOException why) {
        what.initCause(why);
        return what;
    }
}
