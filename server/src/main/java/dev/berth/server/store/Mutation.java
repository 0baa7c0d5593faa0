package dev.berth.server.store;

/// A requested create, update or delete.
public final class Mutation {

    private final Change.Type type;
    private final ObjectKey key;
    private final long revision;
    private final StoredValue value;

    private Mutation(Change.Type type, ObjectKey key, long revision, StoredValue value) {
        this.type = type;
        this.key = key;
        this.revision = revision;
        this.value = value;
    }

    public static Mutation create(ObjectKey key, StoredValue value) {
        return new Mutation(Change.Type.CREATED, key, 0, value);
    }

    public static Mutation update(ObjectKey key, long revision, StoredValue value) {
        return new Mutation(Change.Type.UPDATED, key, revision, value);
    }

    public static Mutation delete(ObjectKey key, long revision) {
        return new Mutation(Change.Type.DELETED, key, revision, StoredValue.NOTHING);
    }

    public Change.Type type() {
        return type;
    }

    public ObjectKey key() {
        return key;
    }

    /// The expected revision of the object; 0 for a creation.
    public long revision() {
        return revision;
    }

    /// Empty for a deletion.
    public StoredValue value() {
        return value;
    }
}
