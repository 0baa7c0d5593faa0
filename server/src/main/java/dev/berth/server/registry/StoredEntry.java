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
import org.jspecify.annotations.Nullable;

/// An entry and what was found out about it. Trees are big, so nothing here is kept for longer than
/// until the memory is next swept: that is long enough for all who ask at once.
final class StoredEntry {

    private final Entry entry;
    private volatile @Nullable WeakReference<JsonObject> tree;
    private volatile @Nullable WeakReference<byte[]> served;
    private volatile @Nullable WeakReference<Object> read;
    private volatile @Nullable WeakReference<ManagedFields> owners;

    // Discarded by the cache that counts their bytes.
    private volatile List<ProtobufObjects.Encoded> encoded = List.of();

    StoredEntry(Entry entry) {
        this.entry = entry;
    }

    /// The object, if somebody has read or written it a moment ago.
    Optional<JsonObject> known() {
        return known(tree);
    }

    JsonObject tree() {
        var known = known().orElse(null);
        if (known == null) {
            known = withRevision(parsed(entry), entry.revision());
            tree = new WeakReference<>(known);
        }
        return known;
    }

    /// The text that is sent. It is kept for a while since watchers ask one after the other.
    byte[] served(int head) {
        var known = known(served).orElse(null);
        if (known == null) {
            known = ServedObjects.spliced(entry.bytes(), head, entry.revision());
            served = new WeakReference<>(known);
        }
        return known;
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

    /// What a reader makes of it; all readers of a collection must make the same.
    @SuppressWarnings("unchecked")
    <T> T read(Function<Entry, T> reader) {
        var known = known(read).orElse(null);
        if (known == null) {
            known = reader.apply(entry);
            read = new WeakReference<>(known);
        }
        return (T) known;
    }

    /// Who owns which of its fields.
    ManagedFields owners() {
        var known = knownOwners().orElse(null);
        if (known == null) {
            known = ManagedFields.of(tree());
            owners = new WeakReference<>(known);
        }
        return known;
    }

    /// The same, if somebody has read or written it a moment ago.
    Optional<ManagedFields> knownOwners() {
        return known(owners);
    }

    private static <T> Optional<T> known(@Nullable WeakReference<T> reference) {
        return reference == null ? Optional.empty() : Optional.ofNullable(reference.get());
    }

    /// What is to be stored of an object. It goes along with the text, lest those who are told of
    /// the change read it again.
    static StoredValue value(Resource resource, JsonObject object, Optional<ManagedFields> owners) {
        var plain = plain(resource, object);
        return value(plain, JsonWriter.bytes(plain), owners);
    }

    static StoredValue value(JsonObject plain, byte[] bytes, Optional<ManagedFields> owners) {
        return StoredValue.of(
                bytes,
                entry -> {
                    var stored = new StoredEntry(entry);
                    stored.tree = new WeakReference<>(withRevision(plain, entry.revision()));
                    owners.ifPresent(known -> stored.owners = new WeakReference<>(known));
                    return stored;
                });
    }

    private static JsonObject parsed(Entry entry) {
        if (JsonReader.readUnplaced(entry.bytes()) instanceof ParseResult.Documents(var documents)
                && documents.getFirst().root() instanceof JsonObject object) {
            return object;
        }
        throw new IllegalStateException("what is stored at " + entry + " is no JSON object");
    }

    static JsonObject withRevision(JsonObject object, long revision) {
        var metadata = object.objectOrEmpty("metadata");
        return object.with(
                "metadata", metadata.with("resourceVersion", Json.of(Long.toString(revision))));
    }

    /// The object as it is stored: the revision is the store's to know.
    static JsonObject plain(Resource resource, JsonObject object) {
        var metadata = object.objectOrEmpty("metadata").without("resourceVersion");
        return resource.labelled(object.with("metadata", metadata));
    }
}
