package io.tidemark.core.medium;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/** Forges headers of the files of an SSD medium. */
final class SsdFormat {
    private SsdFormat() {}

    static void setVersion(byte[] file, int version) {
        ByteBuffer header = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN);
        header.putInt(8, version);
        CRC32C crc = new CRC32C();
        crc.update(file, 0, 28);
        header.putInt(28, (int) crc.getValue());
    }
}
