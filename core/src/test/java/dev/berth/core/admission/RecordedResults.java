package dev.berth.core.admission;

import dev.berth.harness.SharedData;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.JsonReader;
import dev.berth.model.json.ParseResult;
import java.util.List;

/// Recorded results of Kubernetes, one JSON object per line, where this machine has them.
final class RecordedResults {

    private RecordedResults() {}

    /// The lines of a file; skips the test when the file does not exist.
    static List<JsonObject> of(String name) {
        return SharedData.conformanceLines(name).stream().map(RecordedResults::object).toList();
    }

    private static JsonObject object(String line) {
        return switch (JsonReader.read(line)) {
            case ParseResult.Documents(var documents)
                    when documents.getFirst().root() instanceof JsonObject object ->
                    object;
            case ParseResult.Documents _ ->
                    throw new IllegalStateException("not an object: " + line);
            case ParseResult.Malformed(var message, _, _) ->
                    throw new IllegalStateException(message);
        };
    }
}
