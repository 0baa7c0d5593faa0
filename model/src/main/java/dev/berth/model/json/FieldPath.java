package dev.berth.model.json;

import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/// Where a value stands in an object, spelled as Kubernetes spells it: `spec.devices[2].name`,
/// `spec.devices[0].attributes[gpu.example.com/model]`.
public record FieldPath(Optional<FieldPath> parent, String step, boolean subscript) {

    /// The path of the whole object. Printed as `<nil>` where Kubernetes prints an absent path.
    public static final FieldPath ROOT = new FieldPath(Optional.empty(), "", false);

    /// Paths are made for every item that is checked, and printed for few.
    private static final List<String> NUMBERS =
            IntStream.range(0, 64).mapToObj(Integer::toString).toList();

    public static FieldPath of(String first, String... more) {
        var path = ROOT.child(first);
        for (var name : more) {
            path = path.child(name);
        }
        return path;
    }

    public FieldPath child(String name) {
        return new FieldPath(Optional.of(this), name, false);
    }

    public FieldPath index(int position) {
        var step =
                position >= 0 && position < NUMBERS.size()
                        ? NUMBERS.get(position)
                        : Integer.toString(position);
        return new FieldPath(Optional.of(this), step, true);
    }

    public FieldPath key(String key) {
        return new FieldPath(Optional.of(this), key, true);
    }

    @Override
    public String toString() {
        var text = new StringBuilder();
        append(text);
        return text.toString();
    }

    private void append(StringBuilder text) {
        if (parent.isEmpty()) {
            return;
        }
        parent.get().append(text);
        if (subscript) {
            text.append('[').append(step).append(']');
        } else {
            text.append(text.isEmpty() ? "" : ".").append(step);
        }
    }
}
