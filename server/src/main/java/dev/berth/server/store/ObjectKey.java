package dev.berth.server.store;

/// Names one object.
///
/// @param collection all objects of a kind: `pods`, `resource.k8s.io/resourceclaims`
/// @param namespace empty for objects of the whole cluster
public record ObjectKey(String collection, String namespace, String name)
        implements Comparable<ObjectKey> {

    /// Collection, namespace and name in one; the order of paths is the order of lists.
    public String path() {
        return collection + "/" + within();
    }

    /// The path within the collection.
    public String within() {
        return namespace.isEmpty() ? name : namespace + "/" + name;
    }

    @Override
    public int compareTo(ObjectKey other) {
        return path().compareTo(other.path());
    }
}
