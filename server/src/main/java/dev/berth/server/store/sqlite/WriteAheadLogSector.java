package dev.berth.server.store.sqlite;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.UUID;
import java.util.zip.CRC32C;

/// One of the two sectors in the first page of a log file. Each is written with one write of 512
/// bytes, which disks do atomically.
///
/// @param store store ID, to detect a file of another store
/// @param generation of the current file; rises by one with each switch to the other file
/// @param revision in a header, the newest before the first frame; in a sync record, the newest
///   that is durable
record WriteAheadLogSector(UUID store, long generation, long revision) {

    static final int BYTES = 512;

    /// Offset of the first frame.
    static final int PAGE_BYTES = 4_096;

    private static final int CHECKSUM_AT = BYTES - Integer.BYTES;

    /// Offset of a sector in its page, and its magic number.
    enum Kind {
        /// Describes the file itself. Written at the switch to this file.
        HEADER(0, 0x4265_4C01),

        /// Describes the other file: how far that one is durable. Written after each sync, so that
        /// an older copy of the other file or a lost end of it is detected.
        SYNC_RECORD(2_048, 0x4265_4C02);

        private final int at;
        private final int mark;

        Kind(int at, int mark) {
            this.at = at;
            this.mark = mark;
        }

        int at() {
            return at;
        }
    }

    /// Serializes the content into a buffer of [#BYTES] bytes.
    void write(Kind kind, ByteBuffer sector) {
        sector.clear();
        sector.putInt(kind.mark)
                .putLong(store.getMostSignificantBits())
                .putLong(store.getLeastSignificantBits())
                .putLong(generation)
                .putLong(revision);
        while (sector.position() < CHECKSUM_AT) {
            sector.put((byte) 0);
        }
        sector.putInt(checksum(sector)).flip();
    }

    /// Reads a sector of the first page of a file.
    static WriteAheadLogSector read(Kind kind, ByteBuffer page, Path file) {
        var sector = page.slice(kind.at, BYTES);
        if (sector.getInt(CHECKSUM_AT) != checksum(sector) || sector.getInt() != kind.mark) {
            throw StoreDamage.at(file, kind.at, "the checksum of this sector is wrong");
        }
        return new WriteAheadLogSector(
                new UUID(sector.getLong(), sector.getLong()), sector.getLong(), sector.getLong());
    }

    private static int checksum(ByteBuffer sector) {
        var checksum = new CRC32C();
        checksum.update(sector.slice(0, CHECKSUM_AT));
        return (int) checksum.getValue();
    }
}
