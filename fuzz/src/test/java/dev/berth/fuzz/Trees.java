package dev.berth.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.json.Json;
import dev.berth.model.json.Json.JsonArray;
import dev.berth.model.json.JsonNumber;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.JsonReader;
import dev.berth.model.json.JsonWriter;
import dev.berth.model.json.ParseResult;
import dev.berth.model.json.ParsedDocument;
import java.util.List;

/// Properties of every parsed JSON tree.
final class Trees {

    private Trees() {}

    /// The parsed trees; none for malformed text, which must be reported with line and column.
    static List<Json> of(ParseResult reading) {
        return switch (reading) {
            case ParseResult.Documents(var documents) ->
                    documents.stream().map(ParsedDocument::root).toList();
            case ParseResult.Malformed(var message, var line, var column) -> {
                assertThat(message).isNotEmpty();
                assertThat(line).as("line of: %s", message).isPositive();
                assertThat(column).as("column of: %s", message).isPositive();
                yield List.of();
            }
        };
    }

    static void surviveJson(Json tree) {
        assertThat(of(JsonReader.read(JsonWriter.compact(tree)))).containsExactly(tree);
        assertThat(of(JsonReader.read(JsonWriter.pretty(tree)))).containsExactly(tree);
    }

    /// Converts every number in the tree.
    static void convertNumbers(Json tree) {
        switch (tree) {
            case JsonObject object -> object.members().values().forEach(Trees::convertNumbers);
            case JsonArray(var items) -> items.forEach(Trees::convertNumbers);
            case JsonNumber number -> {
                var decimal = number.decimal();
                var whole = number.asLong();
                if (whole.isPresent() && decimal.isPresent()) {
                    assertThat(decimal.get()).isEqualByComparingTo(whole.getAsLong() + "");
                }
            }
            default -> {}
        }
    }
}
