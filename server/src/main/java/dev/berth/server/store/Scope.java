package dev.berth.server.store;

/// Some or all objects of one kind.
///
/// @param namespace empty for all namespaces
public record Scope(String collection, String namespace) {

    public static Scope all(String collection) {
        return new Scope(collection, "");
    }

    public boolean contains(Key key) {
        return collection.equals(key.collection())
                && (namespace.isEmpty() || namespace.equals(key.namespace()));
    }
}
