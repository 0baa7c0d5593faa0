package dev.berth.model.json;

import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// Path of a value in an object in the notation of Kubernetes: `spec.devices[2].name`,
/// `spec.devices[0].attributes[gpu.example.com/model]`.
///
/// @param above null for the whole object
public record FieldPath(@Nullable FieldPath above, String step, boolean subscript) {

    /// The path of the whole object. Printed as `<nil>` where Kubernetes prints an absent path.
    public static final FieldPath ROOT = new FieldPath(null, "", false);

    /// Paths are created for every checked item and printed for few.
    private static final List<String> NUMBERS =
            IntStream.range(0, 64).mapToObj(Integer::toString).toList();

    public static FieldPath of(String first, String... more) {
        var path = ROOT.child(first);
        for (var name : more) {
            path = path.child(name);
        }
        return path;
    }

    /// The path of the enclosing value; empty for the root.
    public Optional<FieldPath> parent() {
        return Optional.ofNullable(above);
    }

    public FieldPath child(String name) {
        return new FieldPath(this, name, false);
    }

    public FieldPath index(int position) {
        var step =
                position >= 0 && position < NUMBERS.size()
                        ? NUMBERS.get(position)
                        : Integer.toString(position);
        return new FieldPath(this, step, true);
    }

    public FieldPath key(String key) {
        return new FieldPath(this, key, true);
    }

    @Override
    public String toString() {
        var text = new StringBuilder();
        append(text);
        return text.toString();
    }

    private void append(StringBuilder text) {
        if (above == null) {
            return;
        }
        above.append(text);
        if (subscript) {
            text.append('[').append(step).append(']');
        } else {
            text.append(text.isEmpty() ? "" : ".").append(step);
        }
    }
}
