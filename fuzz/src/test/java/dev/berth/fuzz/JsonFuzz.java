package dev.berth.fuzz;

import dev.berth.model.json.JsonReader;

/// Any bytes are JSON that survives a round trip, or malformed.
public final class JsonFuzz {

    private JsonFuzz() {}

    public static void fuzzerTestOneInput(byte[] input) {
        for (var tree : Trees.of(JsonReader.read(input))) {
            Trees.surviveJson(tree);
            Trees.convertNumbers(tree);
        }
    }
}
