package dev.berth.schema.check;

import dev.berth.schema.SchemaType.Struct;
import dev.berth.schema.Schemas;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Path from the root of a tree to the current value: fields with their structs, keys of maps, and
/// list indexes. Uses plain arrays, since it is updated far more often than printed.
final class SchemaPath {

    private @Nullable Struct[] owners = new @Nullable Struct[16];
    private @Nullable String[] names = new @Nullable String[16];
    private int[] indexes = new int[16];
    private int depth;

    void enterField(Struct owner, String name) {
        enter(owner, name, 0);
    }

    void enterKey(String key) {
        enter(null, key, 0);
    }

    void enterIndex(int index) {
        enter(null, null, index);
    }

    private void enter(@Nullable Struct owner, @Nullable String name, int index) {
        if (depth == indexes.length) {
            owners = Arrays.copyOf(owners, 2 * depth);
            names = Arrays.copyOf(names, 2 * depth);
            indexes = Arrays.copyOf(indexes, 2 * depth);
        }
        owners[depth] = owner;
        names[depth] = name;
        indexes[depth] = index;
        depth++;
    }

    void leave() {
        depth--;
    }

    /// Go's name of the location: `struct field Container.spec.containers.name`: the innermost
    /// struct, then all fields.
    String goLocation() {
        var fields = new StringBuilder();
        var innermost = "";
        for (var i = 0; i < depth; i++) {
            var owner = owners[i];
            if (owner != null) {
                innermost = Schemas.simpleName(owner);
                fields.append('.').append(names[i]);
            }
        }
        return innermost.isEmpty() ? "value" : "struct field " + innermost + fields;
    }

    /// Path of a member of the current value: `spec.containers[0].imag`.
    String pathOf(String name) {
        var text = new StringBuilder();
        for (var i = 0; i < depth; i++) {
            if (names[i] == null) {
                text.append('[').append(indexes[i]).append(']');
            } else {
                text.append(text.isEmpty() ? "" : ".").append(names[i]);
            }
        }
        return text.append(text.isEmpty() ? "" : ".").append(name).toString();
    }
}
