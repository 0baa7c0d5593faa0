package dev.berth.schema;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// What a value may look like, and how two writers' values are merged.
public sealed interface SchemaType {

    /// A value without parts.
    enum Scalar implements SchemaType {
        STRING,
        BOOLEAN,
        INT32,
        INT64,
        NUMBER,
        /// Base64 in JSON.
        BYTES,
        /// RFC 3339 with seconds.
        TIME,
        /// RFC 3339 with microseconds.
        MICRO_TIME,
        DURATION,
        QUANTITY,
        INT_OR_STRING,
        /// Any JSON value, not looked into: an atom.
        ANY
    }

    /// Named fields. Two structs of the same name are the same.
    ///
    /// @param name as in OpenAPI: `io.k8s.api.core.v1.Pod`
    /// @param atomic true when it is replaced as a whole by server-side apply
    /// @param open true when fields that are not described are kept
    record Struct(String name, String description, Fields fields, boolean atomic, boolean open)
            implements SchemaType {}

    /// The fields of a struct, found when first asked for since types may contain themselves.
    interface Fields {
        List<Field> all();

        @Nullable Field named(String name);

        /// Fields of which some must be set.
        default List<FieldUnion> unions() {
            return List.of();
        }
    }

    /// A field.
    ///
    /// @param description one or two sentences; may be empty
    /// @param initial the value that a missing field gets; empty when there is none
    /// @param patching how a strategic merge patch treats a struct; lists say so themselves
    /// @param constraints on the value, for kinds that are served by their schema
    record Field(
            String name,
            SchemaType type,
            String description,
            boolean required,
            Optional<dev.berth.model.json.Json> initial,
            Patching patching,
            FieldConstraints constraints) {

        /// A field that a strategic merge patch merges.
        public Field(
                String name,
                SchemaType type,
                String description,
                boolean required,
                Optional<dev.berth.model.json.Json> initial) {
            this(name, type, description, required, initial, Patching.MERGE, FieldConstraints.NONE);
        }
    }

    /// What a strategic merge patch does with a field that has fields itself.
    enum Patching {
        /// Fields that the patch does not name stay.
        MERGE,
        /// The patch says all.
        REPLACE,
        /// Fields that the patch's `$retainKeys` does not name go.
        RETAIN_KEYS
    }

    /// Items in order.
    ///
    /// @param merge how server-side apply merges two such lists
    /// @param patchKey the field by which a strategic merge patch merges items; empty: it replaces
    ///   the list; for lists of scalars with merging, `""` with `patchMerges`
    record ListOf(
            SchemaType item, Merge merge, boolean patchMerges, String patchKey, boolean retainKeys)
            implements SchemaType {}

    /// Values by name.
    ///
    /// @param atomic true when it is replaced as a whole by server-side apply
    record MapOf(SchemaType value, boolean atomic) implements SchemaType {}

    /// How server-side apply merges lists.
    sealed interface Merge {

        /// The list is one value with one owner.
        record Atomic() implements Merge {}

        /// Each item has owners; items are scalars and differ.
        record AsSet() implements Merge {}

        /// Items are told apart by these fields.
        record ByKeys(List<String> keys) implements Merge {
            public ByKeys {
                keys = List.copyOf(keys);
            }
        }
    }
}
