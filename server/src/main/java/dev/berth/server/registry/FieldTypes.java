package dev.berth.server.registry;

import dev.berth.schema.SchemaType;

/// The fields of kinds, for those who merge.
@FunctionalInterface
public interface FieldTypes {
    SchemaType of(Resource resource, String version);
}
