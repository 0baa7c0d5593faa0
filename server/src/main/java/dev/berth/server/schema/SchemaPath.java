package dev.berth.server.schema;

import dev.berth.schema.SchemaType.Struct;
import dev.berth.schema.Schemas;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// The way from the root of a tree to the value at hand: fields with the structs that they are of,
/// keys of maps, and places in lists. Plain arrays, since it is walked far more often than told.
final class SchemaPath {

    private @Nullable Struct[] owners = new @Nullable Struct[16];
    private @Nullable String[] names = new @Nullable String[16];
    private int[] places = new int[16];
    private int depth;

    void enterField(Struct owner, String name) {
        enter(owner, name, 0);
    }

    void enterKey(String key) {
        enter(null, key, 0);
    }

    void enterPlace(int place) {
        enter(null, null, place);
    }

    private void enter(@Nullable Struct owner, @Nullable String name, int place) {
        if (depth == places.length) {
            owners = Arrays.copyOf(owners, 2 * depth);
            names = Arrays.copyOf(names, 2 * depth);
            places = Arrays.copyOf(places, 2 * depth);
        }
        owners[depth] = owner;
        names[depth] = name;
        places[depth] = place;
        depth++;
    }

    void leave() {
        depth--;
    }

    /// `struct field Container.spec.containers.name`: the innermost struct, then all fields.
    String slot() {
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

    /// Where something of that name is: `spec.containers[0].imag`.
    String pathOf(String name) {
        var text = new StringBuilder();
        for (var i = 0; i < depth; i++) {
            if (names[i] == null) {
                text.append('[').append(places[i]).append(']');
            } else {
                text.append(text.isEmpty() ? "" : ".").append(names[i]);
            }
        }
        return text.append(text.isEmpty() ? "" : ".").append(name).toString();
    }
}
