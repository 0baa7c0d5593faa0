package dev.berth.server.store;

/// Collection, namespace and name of an object.
///
/// @param collection group and resource: `pods`, `resource.k8s.io/resourceclaims`
/// @param namespace empty for cluster-scoped objects
public record ObjectKey(String collection, String namespace, String name)
        implements Comparable<ObjectKey> {

    /// Collection, namespace and name, joined with slashes. Lists are in path order.
    public String path() {
        return collection + "/" + relativePath();
    }

    /// The path without the collection.
    public String relativePath() {
        return namespace.isEmpty() ? name : namespace + "/" + name;
    }

    @Override
    public int compareTo(ObjectKey other) {
        return path().compareTo(other.path());
    }
}
