package dev.berth.server.store;

/// A key as one text outside of this process. Unlike [ObjectKey#path] it always has the namespace,
/// so that it can be read back although collections may have slashes in their names.
final class StoredKey {

    private StoredKey() {}

    static String text(ObjectKey key) {
        return key.collection() + "/" + key.namespace() + "/" + key.name();
    }

    static ObjectKey parse(String text) {
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
