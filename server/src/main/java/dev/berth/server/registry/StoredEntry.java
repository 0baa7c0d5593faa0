package dev.berth.server.registry;

import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.JsonReader;
import dev.berth.model.json.JsonWriter;
import dev.berth.model.json.ParseResult;
import dev.berth.server.patch.ManagedFields;
import dev.berth.server.store.Entry;
import dev.berth.server.store.StoredValue;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// An entry with memos of its decoded forms. Trees are big, so they are weakly referenced: they
/// live until the next garbage collection, which is long enough for concurrent readers.
final class StoredEntry {

    private final Entry entry;
    private volatile @Nullable WeakReference<JsonObject> tree;
    private volatile @Nullable WeakReference<byte[]> served;
    private volatile @Nullable WeakReference<Object> read;
    private volatile @Nullable WeakReference<ManagedFields> owners;

    private volatile @Nullable EncodedEvent event;

    /// A watch event with the object.
    private record EncodedEvent(WatchEventKey key, WeakReference<byte[]> bytes) {}

    // Not weakly referenced: evicted by the cache that counts their bytes.
    private volatile List<ProtobufObjects.Encoded> encoded = List.of();

    StoredEntry(Entry entry) {
        this.entry = entry;
    }

    /// The decoded object, if it is cached.
    Optional<JsonObject> cached() {
        return cached(tree);
    }

    JsonObject tree() {
        var cached = cached().orElse(null);
        if (cached == null) {
            cached = withRevision(parsed(entry), entry.revision());
            tree = new WeakReference<>(cached);
        }
        return cached;
    }

    /// The JSON text to send. It is cached, since watchers read it one after the other.
    byte[] served(int head) {
        var cached = cached(served).orElse(null);
        if (cached == null) {
            cached = ServedObjects.spliced(entry.bytes(), head, entry.revision());
            served = new WeakReference<>(cached);
        }
        return cached;
    }

    /// The bytes of a watch event with the object. The last one is cached, since watchers of one
    /// media type read it one after the other.
    byte[] event(WatchEventKey key, Supplier<byte[]> encoder) {
        var known = event;
        var cached = known != null && known.key.equals(key) ? known.bytes.get() : null;
        if (cached == null) {
            cached = encoder.get();
            event = new EncodedEvent(key, new WeakReference<>(cached));
        }
        return cached;
    }

    /// The protobuf encoding in an API version; null when it is not cached.
    ProtobufObjects.@Nullable Encoded encoded(String apiVersion) {
        for (var one : encoded) {
            if (one.apiVersion().equals(apiVersion)) {
                return one;
            }
        }
        return null;
    }

    synchronized void encoded(ProtobufObjects.Encoded one) {
        var all = new ArrayList<>(encoded);
        all.add(one);
        encoded = List.copyOf(all);
    }

    @SuppressWarnings("ReferenceEquality") // the same encoding may have been computed again
    synchronized void discard(ProtobufObjects.Encoded one) {
        encoded = encoded.stream().filter(other -> other != one).toList();
    }

    /// The result of a decoder; all decoders of a collection must return equal results.
    @SuppressWarnings("unchecked")
    <T> T read(Function<Entry, T> reader) {
        var cached = cached(read).orElse(null);
        if (cached == null) {
            cached = reader.apply(entry);
            read = new WeakReference<>(cached);
        }
        return (T) cached;
    }

    /// The managed fields.
    ManagedFields owners() {
        var cached = cachedOwners().orElse(null);
        if (cached == null) {
            cached = ManagedFields.of(tree());
            owners = new WeakReference<>(cached);
        }
        return cached;
    }

    /// The managed fields, if they are cached.
    Optional<ManagedFields> cachedOwners() {
        return cached(owners);
    }

    private static <T> Optional<T> cached(@Nullable WeakReference<T> reference) {
        return reference == null ? Optional.empty() : Optional.ofNullable(reference.get());
    }

    /// The value to store for an object. The decoded object is attached to it, so that watchers
    /// need not parse it again.
    static StoredValue value(Resource resource, JsonObject object, Optional<ManagedFields> owners) {
        var withoutRevision = withoutRevision(resource, object);
        return value(withoutRevision, JsonWriter.bytes(withoutRevision), owners);
    }

    static StoredValue value(
            JsonObject withoutRevision, byte[] bytes, Optional<ManagedFields> owners) {
        return StoredValue.of(
                bytes,
                entry -> {
                    var stored = new StoredEntry(entry);
                    stored.tree =
                            new WeakReference<>(withRevision(withoutRevision, entry.revision()));
                    owners.ifPresent(cached -> stored.owners = new WeakReference<>(cached));
                    return stored;
                });
    }

    private static JsonObject parsed(Entry entry) {
        if (JsonReader.readUnplaced(entry.bytes()) instanceof ParseResult.Documents(var documents)
                && documents.getFirst().root() instanceof JsonObject object) {
            return object;
        }
        throw new IllegalStateException("stored entry " + entry + " is not a JSON object");
    }

    static JsonObject withRevision(JsonObject object, long revision) {
        var metadata = object.objectOrEmpty("metadata");
        return object.with(
                "metadata", metadata.with("resourceVersion", Json.of(Long.toString(revision))));
    }

    /// The object as it is stored: without resourceVersion, which the store assigns.
    static JsonObject withoutRevision(Resource resource, JsonObject object) {
        var metadata = object.objectOrEmpty("metadata").without("resourceVersion");
        return resource.withTypeMeta(object.with("metadata", metadata));
    }
}
