package dev.berth.server.schema;

import dev.berth.server.schema.Type.Struct;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/// The numbers of fields in the binary form, from a file with one line for each type: its name,
/// then `field=number` for each field.
final class ProtobufNumbers {

    private static final String FILE = "protobuf.numbers";

    private final Map<String, Map<Integer, String>> names = new HashMap<>();

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
        var fields = new HashMap<Integer, String>();
        for (var i = 1; i < words.length; i++) {
            var at = words[i].indexOf('=');
            fields.put(Integer.valueOf(words[i].substring(at + 1)), words[i].substring(0, at));
        }
        names.put(words[0], fields);
    }

    boolean knows(Struct struct) {
        return names.containsKey(struct.name());
    }

    /// The field of that number; empty when there is none that we know.
    String name(Struct struct, int number) {
        return names.getOrDefault(struct.name(), Map.of()).getOrDefault(number, "");
    }
}
