package dev.berth.server.store;

import java.nio.ByteBuffer;
import java.util.UUID;
import java.util.zip.CRC32C;

/// The one row about the database itself, which is written in each transaction.
///
/// @param store identifies the store; random, given once
/// @param revision the newest; kept apart from the objects since the newest change may be a
///   deletion
/// @param generation of the [WriteAheadLog], all of whose changes up to this one are in the
///   database; 0 when there is no journal yet
/// @param objects how many there are
/// @param total sum of the checksums of all objects, so that lost pages are noticed, and pages that
///   are older than the rest
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
