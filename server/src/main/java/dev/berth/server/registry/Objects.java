package dev.berth.server.registry;

import dev.berth.model.json.JsonObject;
import dev.berth.server.store.Entry;
import dev.berth.server.store.Key;
import dev.berth.server.store.Listing;
import dev.berth.server.store.Scope;
import dev.berth.server.store.Store;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/// What is stored, as trees of the version that travels inside, with their `resourceVersion`.
public final class Objects {

    private final Store store;

    public Objects(Store store) {
        this.store = store;
    }

    /// The object of that name.
    ///
    /// @param collection such as `pods` or `resource.k8s.io/resourceclaims`
    /// @param namespace empty for kinds of the whole cluster
    public Optional<JsonObject> get(String collection, String namespace, String name) {
        return store.get(new Key(collection, namespace, name)).map(Objects::tree);
    }

    /// The objects of a namespace.
    ///
    /// @param namespace empty for all
    public List<JsonObject> list(String collection, String namespace) {
        return switch (store.list(new Scope(collection, namespace), 0, "", 0)) {
            case Listing.Page page -> page.entries().stream().map(Objects::tree).toList();
            case Listing.Compacted _, Listing.Future _ -> List.of();
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
        return entry.memo(Stored::new).read(reader);
    }

    /// The object that an entry holds, if somebody has read or written it a moment ago; others do
    /// better to read the text.
    public static Optional<JsonObject> known(Entry entry) {
        return entry.memo(Stored::new).known();
    }

    /// The object that an entry holds.
    public static JsonObject tree(Entry entry) {
        return entry.memo(Stored::new).tree();
    }
}
