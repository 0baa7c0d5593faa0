package dev.berth.schema;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Type of a JSON value: structure, and how server-side apply and strategic merge patches merge it.
public sealed interface SchemaType {

    /// A scalar value.
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
        /// Any JSON value, treated as atomic.
        ANY
    }

    /// An object with declared fields. Structs of equal name are the same type.
    ///
    /// @param name as in OpenAPI: `io.k8s.api.core.v1.Pod`
    /// @param atomic true if server-side apply replaces it as a whole
    /// @param open true if unknown fields are preserved
    record Struct(String name, String description, Fields fields, boolean atomic, boolean open)
            implements SchemaType {}

    /// The fields of a struct, computed on first use, since types may be recursive.
    interface Fields {
        List<Field> all();

        @Nullable Field named(String name);

        /// Fields of which one or at least one must be set.
        default List<FieldUnion> unions() {
            return List.of();
        }
    }

    /// A field.
    ///
    /// @param description one or two sentences; may be empty
    /// @param initial the default value; empty if there is none
    /// @param patching how a strategic merge patch treats a struct; lists have their own strategy
    /// @param constraints on the value, for kinds that are validated by their schema
    record Field(
            String name,
            SchemaType type,
            String description,
            boolean required,
            Optional<dev.berth.model.json.Json> initial,
            Patching patching,
            FieldConstraints constraints) {

        /// A field without constraints that a strategic merge patch merges.
        public Field(
                String name,
                SchemaType type,
                String description,
                boolean required,
                Optional<dev.berth.model.json.Json> initial) {
            this(name, type, description, required, initial, Patching.MERGE, FieldConstraints.NONE);
        }
    }

    /// Strategy of a strategic merge patch for a field that is a struct.
    enum Patching {
        /// Merges the fields of the patch.
        MERGE,
        /// Replaces the struct.
        REPLACE,
        /// Removes the fields that `$retainKeys` of the patch does not name.
        RETAIN_KEYS
    }

    /// A list.
    ///
    /// @param merge how server-side apply merges two lists
    /// @param patchMerges whether a strategic merge patch merges two lists; otherwise it replaces
    ///   the list
    /// @param patchKey the merge key of strategic merge patches; empty for lists of scalars
    record ListOf(
            SchemaType item, Merge merge, boolean patchMerges, String patchKey, boolean retainKeys)
            implements SchemaType {}

    /// A map with string keys.
    ///
    /// @param atomic true if server-side apply replaces it as a whole
    record MapOf(SchemaType value, boolean atomic) implements SchemaType {}

    /// How server-side apply merges lists.
    sealed interface Merge {

        /// The list has one owner.
        record Atomic() implements Merge {}

        /// Each item has owners; items are distinct scalars.
        record AsSet() implements Merge {}

        /// Items are identified by these fields.
        record ByKeys(List<String> keys) implements Merge {
            public ByKeys {
                keys = List.copyOf(keys);
            }
        }
    }
}
