package dev.berth.schema.protobuf;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Field numbers of the protobuf encoding, read from the resource `protobuf.numbers`, which
/// describes its own syntax.
final class ProtobufNumbers {

    private static final String FILE = "protobuf.numbers";

    /// The meaning of a field number in a message.
    sealed interface Entry {

        /// A field of the object.
        ///
        /// @param pointer true when zero, false and the empty string are values of the field; false
        ///   when they mean that the field is absent
        record Named(String field, boolean pointer) implements Entry {}

        /// A message whose fields belong to the surrounding object in JSON.
        record Inlined(String message) implements Entry {}
    }

    private final Map<String, Map<Integer, Entry>> messages = new HashMap<>();

    private ProtobufNumbers() {}

    static ProtobufNumbers known() {
        try (var stream = ProtobufNumbers.class.getResourceAsStream(FILE)) {
            if (stream == null) {
                throw new IllegalStateException(FILE + " is missing from this build");
            }
            var numbers = new ProtobufNumbers();
            new String(stream.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.isBlank() && !line.startsWith("#"))
                    .forEach(numbers::add);
            return numbers;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void add(String line) {
        var words = line.strip().split("\\s+", -1);
        var entries = new HashMap<Integer, Entry>();
        for (var i = 1; i < words.length; i++) {
            var at = words[i].indexOf('=');
            var name = words[i].substring(0, at);
            entries.put(
                    Integer.valueOf(words[i].substring(at + 1)),
                    switch (name.charAt(0)) {
                        case '+' -> new Entry.Inlined(name.substring(1));
                        case '*' -> new Entry.Named(name.substring(1), true);
                        default -> new Entry.Named(name, false);
                    });
        }
        messages.put(words[0], entries);
    }

    Set<String> messages() {
        return Collections.unmodifiableSet(messages.keySet());
    }

    /// The entries of a message by number; empty when the message has no numbers here.
    Map<Integer, Entry> entries(String message) {
        return messages.getOrDefault(message, Map.of());
    }

    /// The meaning of a number in a message; empty when it is not known.
    Optional<Entry> entry(String message, int number) {
        return Optional.ofNullable(entries(message).get(number));
    }
}
