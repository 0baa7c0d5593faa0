package dev.berth.server.registry;

import dev.berth.model.json.JsonObject;
import dev.berth.server.store.CollectionScope;
import dev.berth.server.store.Entry;
import dev.berth.server.store.ListResult;
import dev.berth.server.store.ObjectKey;
import dev.berth.server.store.Store;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/// The stored objects, decoded in the internal version, with their `resourceVersion`.
public final class StoredObjects {

    private final Store store;

    public StoredObjects(Store store) {
        this.store = store;
    }

    /// The object of that name.
    ///
    /// @param collection such as `pods` or `resource.k8s.io/resourceclaims`
    /// @param namespace empty for cluster-scoped kinds
    public Optional<JsonObject> get(String collection, String namespace, String name) {
        return store.get(new ObjectKey(collection, namespace, name)).map(StoredObjects::tree);
    }

    /// The objects of a namespace.
    ///
    /// @param namespace empty for all
    public List<JsonObject> list(String collection, String namespace) {
        return switch (store.list(new CollectionScope(collection, namespace), 0, "", 0)) {
            case ListResult.Page page -> page.entries().stream().map(StoredObjects::tree).toList();
            case ListResult.Compacted _, ListResult.Future _ -> List.of();
        };
    }

    /// The latest revision; increases with every write.
    public long revision() {
        return store.revision();
    }

    /// The result of a decoder, cached for the next reader of the same kind.
    ///
    /// @param reader all decoders of a collection must return equal results
    public static <T> T read(Entry entry, Function<Entry, T> reader) {
        return entry.memo(StoredEntry::new).read(reader);
    }

    /// The decoded object of an entry, if it is cached; otherwise it may be cheaper to use the
    /// text.
    public static Optional<JsonObject> cached(Entry entry) {
        return entry.memo(StoredEntry::new).cached();
    }

    /// The decoded object of an entry.
    public static JsonObject tree(Entry entry) {
        return entry.memo(StoredEntry::new).tree();
    }
}
