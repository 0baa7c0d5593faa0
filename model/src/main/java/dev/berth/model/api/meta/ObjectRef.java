package dev.berth.model.api.meta;

/// Namespace and name of an object; the namespace is empty for cluster-scoped kinds.
public record ObjectRef(String namespace, String name) implements Comparable<ObjectRef> {

    @Override
    public int compareTo(ObjectRef other) {
        var byNamespace = namespace.compareTo(other.namespace);
        return byNamespace == 0 ? name.compareTo(other.name) : byNamespace;
    }

    @Override
    public String toString() {
        return namespace.isEmpty() ? name : namespace + "/" + name;
    }
}
