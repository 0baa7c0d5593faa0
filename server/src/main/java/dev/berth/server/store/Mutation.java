package dev.berth.server.store;

/// A write that somebody asks for.
final class Mutation {

    private final Change.Type type;
    private final Key key;
    private final long revision;
    private final Value value;

    private Mutation(Change.Type type, Key key, long revision, Value value) {
        this.type = type;
        this.key = key;
        this.revision = revision;
        this.value = value;
    }

    static Mutation create(Key key, Value value) {
        return new Mutation(Change.Type.CREATED, key, 0, value);
    }

    static Mutation update(Key key, long revision, Value value) {
        return new Mutation(Change.Type.UPDATED, key, revision, value);
    }

    static Mutation delete(Key key, long revision) {
        return new Mutation(Change.Type.DELETED, key, revision, Value.NOTHING);
    }

    Change.Type type() {
        return type;
    }

    Key key() {
        return key;
    }

    /// The revision that the object must be of; 0 for a creation.
    long revision() {
        return revision;
    }

    /// Empty for a deletion.
    Value value() {
        return value;
    }
}
