package dev.berth.schema.protobuf;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Field numbers of the protobuf encoding by message, read from the resource `field-numbers.txt`,
/// which describes its own syntax. Lines are parsed when their message is first used.
final class FieldNumbers {

    private static final String FILE = "field-numbers.txt";

    /// A numbered part of a message.
    sealed interface Entry {

        int number();

        /// A field of the object.
        record Named(String field, int number, Presence presence, Wrapping wrapping)
                implements Entry {}

        /// A message whose fields belong to the surrounding object in JSON.
        record Inlined(String message, int number) implements Entry {}
    }

    /// Meaning of a zero value on the wire.
    enum Presence {
        /// The field is absent, unless the schema requires it.
        OMIT_EMPTY,
        /// The zero value is a value.
        POINTER,
        /// The zero value is a value, and Go writes it also for a field that is not set.
        ALWAYS,
        /// The field is absent.
        OMIT_ZERO
    }

    /// Messages around a value that JSON does not have.
    enum Wrapping {
        NONE,
        LIST,
        SCHEMA_OR_ARRAY,
        SCHEMA_OR_BOOLEAN,
        SCHEMA_OR_STRINGS
    }

    private final Map<String, String> lines = new HashMap<>();

    private FieldNumbers(String text) {
        text.lines()
                .filter(line -> !line.isBlank() && !line.startsWith("#"))
                .forEach(line -> {
                    var end = line.indexOf(' ');
                    lines.put(
                            end < 0 ? line : line.substring(0, end),
                            end < 0 ? "" : line.substring(end + 1));
                });
    }

    static FieldNumbers builtIn() {
        try (var stream = FieldNumbers.class.getResourceAsStream(FILE)) {
            if (stream == null) {
                throw new IllegalStateException(FILE + " is missing from this build");
            }
            return new FieldNumbers(new String(stream.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Set<String> messages() {
        return Collections.unmodifiableSet(lines.keySet());
    }

    boolean contains(String message) {
        return lines.containsKey(message);
    }

    /// The entries of a message; none when the message is not listed.
    List<Entry> entries(String message) {
        var entries = new ArrayList<Entry>();
        for (var word : lines.getOrDefault(message, "").split(" ", -1)) {
            if (!word.isEmpty()) {
                entries.add(entry(word));
            }
        }
        return entries;
    }

    private static Entry entry(String word) {
        var equals = word.lastIndexOf('=');
        var name = word.substring(0, equals);
        var number = Integer.parseInt(word.substring(equals + 1));
        return switch (name.charAt(0)) {
            case '+' -> new Entry.Inlined(name.substring(1), number);
            case '*' -> named(name.substring(1), number, Presence.POINTER);
            case '!' -> named(name.substring(1), number, Presence.ALWAYS);
            case '~' -> named(name.substring(1), number, Presence.OMIT_ZERO);
            default -> named(name, number, Presence.OMIT_EMPTY);
        };
    }

    private static Entry named(String name, int number, Presence presence) {
        if (name.endsWith("[]")) {
            return new Entry.Named(
                    name.substring(0, name.length() - 2), number, presence, Wrapping.LIST);
        }
        var bar = name.indexOf('|');
        if (bar < 0) {
            return new Entry.Named(name, number, presence, Wrapping.NONE);
        }
        var wrapping =
                switch (name.substring(bar + 1)) {
                    case "array" -> Wrapping.SCHEMA_OR_ARRAY;
                    case "bool" -> Wrapping.SCHEMA_OR_BOOLEAN;
                    case "strings" -> Wrapping.SCHEMA_OR_STRINGS;
                    default -> throw new IllegalStateException(FILE + ": " + name);
                };
        return new Entry.Named(name.substring(0, bar), number, presence, wrapping);
    }
}
