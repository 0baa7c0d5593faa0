package dev.berth.schema;

import java.util.List;

/// Fields of which some must be set.
///
/// @param exclusive true when exactly one of them must be set, false when at least one must be
public record FieldUnion(List<String> fields, boolean exclusive) {
    public FieldUnion {
        fields = List.copyOf(fields);
    }
}
