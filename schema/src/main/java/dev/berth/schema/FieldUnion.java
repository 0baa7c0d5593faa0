package dev.berth.schema;

import java.util.List;

/// Fields of which one or at least one must be set.
///
/// @param exclusive true if exactly one of them must be set, false if at least one must be
public record FieldUnion(List<String> fields, boolean exclusive) {
    public FieldUnion {
        fields = List.copyOf(fields);
    }
}
