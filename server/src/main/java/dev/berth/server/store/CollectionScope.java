package dev.berth.server.store;

/// All objects of a collection, or those in one namespace.
///
/// @param namespace empty for all namespaces
public record CollectionScope(String collection, String namespace) {

    public static CollectionScope all(String collection) {
        return new CollectionScope(collection, "");
    }

    public boolean contains(ObjectKey key) {
        return collection.equals(key.collection())
                && (namespace.isEmpty() || namespace.equals(key.namespace()));
    }
}
