package dev.berth.server.patch;

import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.JsonReader;
import dev.berth.model.json.JsonWriter;
import dev.berth.model.json.ParseResult.Documents;
import java.util.Optional;
import java.util.stream.Collectors;

/// One element of a field path: identifies a child in its container.
///
/// Ordered as Kubernetes prints managed fields: names, keys, values, indexes.
public sealed interface PathStep extends Comparable<PathStep> {

    /// A member of a struct or map.
    record Named(String name) implements PathStep {
        @Override
        public String toString() {
            return "." + name;
        }
    }

    /// The item of an associative list with these key fields.
    record Keyed(JsonObject key) implements PathStep {
        public Keyed {
            key = JsonScalars.canonicalKey(key);
        }

        /// Cached text. Steps outlive the sets they are in. Stored as the memo of the key, which
        /// has no other.
        private record Written(String text) {}

        private String text() {
            if (key.memo() instanceof Written(var known)) {
                return known;
            }
            var text = "k:" + JsonWriter.compact(key);
            key.remember(new Written(text));
            return text;
        }

        @Override
        public int hashCode() {
            var hash = 0;
            for (var at = 0; at < key.size(); at++) {
                hash = 31 * (31 * hash + key.nameAt(at).hashCode()) + key.valueAt(at).hashCode();
            }
            return hash;
        }

        @Override
        public String toString() {
            return key.members().entrySet().stream()
                    .map(field -> field.getKey() + "=" + JsonWriter.compact(field.getValue()))
                    .collect(Collectors.joining(",", "[", "]"));
        }
    }

    /// The item of a set with this value.
    record Valued(Json value) implements PathStep {
        public Valued {
            value = JsonScalars.canonical(value);
        }

        @Override
        public String toString() {
            return "[=" + JsonWriter.compact(value) + "]";
        }
    }

    /// The item at an index of a list.
    record Indexed(int index) implements PathStep {
        @Override
        public String toString() {
            return "[" + index + "]";
        }
    }

    /// Result of parsing a step.
    sealed interface Reading {
        record Parsed(PathStep step) implements Reading {}

        /// A kind of step of a later version; it is skipped.
        record Unknown() implements Reading {}

        record Malformed() implements Reading {}
    }

    static Reading read(String text) {
        if (text.length() < 2 || text.charAt(1) != ':') {
            return new Reading.Malformed();
        }
        var rest = text.substring(2);
        return switch (text.charAt(0)) {
            case 'f' -> new Reading.Parsed(new Named(rest));
            case 'k' ->
                    value(rest)
                            .filter(JsonObject.class::isInstance)
                            .<Reading>map(key -> new Reading.Parsed(new Keyed((JsonObject) key)))
                            .orElseGet(Reading.Malformed::new);
            case 'v' ->
                    value(rest)
                            .<Reading>map(value -> new Reading.Parsed(new Valued(value)))
                            .orElseGet(Reading.Malformed::new);
            case 'i' -> index(rest);
            default -> new Reading.Unknown();
        };
    }

    private static Optional<Json> value(String text) {
        return JsonReader.read(text) instanceof Documents(var documents) && !documents.isEmpty()
                ? Optional.of(documents.getFirst().root())
                : Optional.empty();
    }

    private static Reading index(String text) {
        try {
            return new Reading.Parsed(new Indexed(Integer.parseInt(text)));
        } catch (NumberFormatException e) {
            return new Reading.Malformed();
        }
    }

    /// Form in `fieldsV1`: `f:name`, `k:{"name":"a"}`, `v:"a"`, `i:0`.
    default String serialized() {
        return switch (this) {
            case Named(var name) -> "f:" + name;
            case Keyed keyed -> keyed.text();
            case Valued(var value) -> "v:" + JsonWriter.compact(value);
            case Indexed(var index) -> "i:" + index;
        };
    }

    /// Approximate length of the serialized form; unbounded if it contains an object or a list,
    /// since even equal ones may be serialized differently.
    default long length() {
        return switch (this) {
            case Named(var name) -> name.length();
            case Keyed(var key) -> JsonScalars.length(key);
            case Valued(var value) -> JsonScalars.length(value);
            case Indexed _ -> 1;
        };
    }

    @Override
    default int compareTo(PathStep other) {
        if (this instanceof Named(var name) && other instanceof Named(var theirs)) {
            return JsonScalars.compareText(name, theirs);
        }
        if (rank() != other.rank()) {
            return Integer.compare(rank(), other.rank());
        }
        return switch (this) {
            case Named(var name) -> JsonScalars.compareText(name, ((Named) other).name);
            case Keyed(var key) -> JsonScalars.compareObjects(key, ((Keyed) other).key);
            case Valued(var value) -> JsonScalars.compare(value, ((Valued) other).value);
            case Indexed(var index) -> Integer.compare(index, ((Indexed) other).index);
        };
    }

    private int rank() {
        return switch (this) {
            case Named _ -> 0;
            case Keyed _ -> 1;
            case Valued _ -> 2;
            case Indexed _ -> 3;
        };
    }
}
