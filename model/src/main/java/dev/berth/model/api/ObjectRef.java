package dev.berth.model.api;

/// Which object of a kind; the namespace is empty for kinds that have none.
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
