package dev.berth.server.store;

/// Text form of a key in etcd and in files. Unlike [ObjectKey#path] it always has the namespace, so
/// that it can be parsed although collection names may contain slashes.
public final class StoredKey {

    private StoredKey() {}

    public static String text(ObjectKey key) {
        return key.collection() + "/" + key.namespace() + "/" + key.name();
    }

    public static ObjectKey parse(String text) {
        var name = text.lastIndexOf('/');
        var namespace = name < 0 ? -1 : text.lastIndexOf('/', name - 1);
        if (namespace < 0) {
            throw new StoreException(
                    "the stored key \""
                            + text
                            + "\" is not of the form collection/namespace/name; only Berth may"
                            + " write to its store");
        }
        return new ObjectKey(
                text.substring(0, namespace),
                text.substring(namespace + 1, name),
                text.substring(name + 1));
    }
}
