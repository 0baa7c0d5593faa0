package dev.berth.server.registry;

import dev.berth.schema.protobuf.ProtobufCodec;
import dev.berth.schema.protobuf.ProtobufCodec.Enveloped;
import dev.berth.server.store.Entry;
import java.util.ArrayDeque;

/// Protobuf encodings of stored objects. Each is computed once per revision and API version and
/// shared by gets, lists and watches. The oldest encodings are evicted when a limit in bytes is
/// exceeded.
public final class ProtobufObjects {

    /// Fraction of the heap that the encodings may fill.
    private static final int HEAP_FRACTION = 32;

    private static final long MAX_BYTES = 64L << 20;

    /// An encoding in one API version.
    record Encoded(String apiVersion, Enveloped object) {

        int bytes() {
            return object.bytes().length;
        }
    }

    private final long maxBytes;

    /// Guards the queue and the sum of its bytes.
    private final Object lock = new Object();

    private final ArrayDeque<Cached> queue = new ArrayDeque<>();
    private long bytes;

    private record Cached(StoredEntry stored, Encoded encoded) {}

    /// @param maxBytes limit above which the oldest encodings are evicted
    public ProtobufObjects(long maxBytes) {
        this.maxBytes = maxBytes;
    }

    /// A cache whose size depends on the heap.
    public static ProtobufObjects ofHeap() {
        return new ProtobufObjects(
                Math.min(MAX_BYTES, Runtime.getRuntime().maxMemory() / HEAP_FRACTION));
    }

    /// The object of an entry, encoded in that version.
    public Enveloped encoded(Resource resource, String version, Entry entry) {
        var stored = entry.memo(StoredEntry::new);
        var apiVersion = resource.apiVersion(version);
        var cached = stored.encoded(apiVersion);
        if (cached != null) {
            return cached.object;
        }
        var encoded = encode(resource, version, stored);
        stored.encoded(encoded);
        keep(new Cached(stored, encoded));
        return encoded.object;
    }

    private static Encoded encode(Resource resource, String version, StoredEntry stored) {
        var apiVersion = resource.apiVersion(version);
        var object = resource.fromInternal(version, stored.tree());
        return new Encoded(
                apiVersion, ProtobufCodec.builtIn().enveloped(object, apiVersion, resource.kind()));
    }

    private void keep(Cached cached) {
        synchronized (lock) {
            queue.add(cached);
            bytes += cached.encoded.bytes();
            while (bytes > maxBytes) {
                var oldest = queue.remove();
                bytes -= oldest.encoded.bytes();
                oldest.stored.discard(oldest.encoded);
            }
        }
    }
}
