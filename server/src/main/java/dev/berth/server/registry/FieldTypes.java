package dev.berth.server.registry;

import dev.berth.schema.Type;

/// The fields of kinds, for those who merge.
@FunctionalInterface
public interface FieldTypes {
    Type of(Resource resource, String version);
}
