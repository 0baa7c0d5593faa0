package dev.berth.server.store.sqlite;

import java.nio.ByteBuffer;
import java.util.UUID;
import java.util.zip.CRC32C;

/// The meta row of the database, written in each transaction.
///
/// @param store store ID; random, assigned once
/// @param revision the newest revision; kept apart from the objects since the newest change may be
///   a deletion
/// @param generation newest generation of the [WriteAheadLog] that the database contains
///   completely; 0 if there is no log yet
/// @param objects number of objects
/// @param total sum of the checksums of all objects; detects lost pages and pages older than the
///   rest
record StoreMeta(UUID store, long revision, long generation, long objects, long total) {

    long checksum() {
        var bytes = ByteBuffer.allocate(6 * Long.BYTES);
        bytes.putLong(store.getMostSignificantBits()).putLong(store.getLeastSignificantBits());
        bytes.putLong(revision).putLong(generation).putLong(objects).putLong(total);
        var checksum = new CRC32C();
        checksum.update(bytes.flip());
        return checksum.getValue();
    }

    StoreMeta with(long newRevision, long newGeneration) {
        return new StoreMeta(store, newRevision, newGeneration, objects, total);
    }

    StoreMeta ofStore(UUID other) {
        return new StoreMeta(other, revision, 0, objects, total);
    }
}
