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

/// What is stored, as trees of the version that travels inside, with their `resourceVersion`.
public final class StoredObjects {

    private final Store store;

    public StoredObjects(Store store) {
        this.store = store;
    }

    /// The object of that name.
    ///
    /// @param collection such as `pods` or `resource.k8s.io/resourceclaims`
    /// @param namespace empty for kinds of the whole cluster
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

    /// The newest revision; grows with every change of anything.
    public long revision() {
        return store.revision();
    }

    /// What a reader makes of an entry, remembered for the next reader of the same kind.
    ///
    /// @param reader all readers of a collection must make the same of it
    public static <T> T read(Entry entry, Function<Entry, T> reader) {
        return entry.memo(StoredEntry::new).read(reader);
    }

    /// The object that an entry holds, if somebody has read or written it a moment ago; others do
    /// better to read the text.
    public static Optional<JsonObject> known(Entry entry) {
        return entry.memo(StoredEntry::new).known();
    }

    /// The object that an entry holds.
    public static JsonObject tree(Entry entry) {
        return entry.memo(StoredEntry::new).tree();
    }
}
