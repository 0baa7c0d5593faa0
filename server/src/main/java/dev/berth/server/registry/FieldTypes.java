package dev.berth.server.registry;

import dev.berth.schema.SchemaType;

/// Looks up the schema of a kind in a version, for merging and field ownership.
@FunctionalInterface
public interface FieldTypes {
    SchemaType of(Resource resource, String version);
}
