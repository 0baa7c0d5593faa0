package dev.berth.model.json;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Both JSON parsers give the same results.
class JsonReaderTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "[]",
                "7",
                "\"text\"",
                "{\"a\":1,\"b\":[true,false,null,{},[],{\"c\":\"d\"}]}",
                "{\"a\":1,\"a\":2}",
                "{\"a\":[0,{\"b\":{\"c\":1,\"c\":2}}],\"a\":{}}",
                "{\"n\":1e999999999,\"m\":-0.0}",
            })
    void positionsDoNotChangeTheParsedValue(String text) {
        var placed = document(JsonReader.read(text));
        var unplaced = document(JsonReader.readUnplaced(text.getBytes(UTF_8)));

        assertThat(unplaced.root()).isEqualTo(placed.root());
        assertThat(unplaced.duplicates()).isEqualTo(placed.duplicates());
        assertThat(JsonWriter.compact(unplaced.root()))
                .isEqualTo(JsonWriter.compact(placed.root()));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "{", "[1,", "{\"a\"}", "[1] 2", "nul", "{\"a\":1,}", "[1 2]", "\u00e9"})
    void positionsDoNotChangeErrors(String text) {
        assertThat(JsonReader.readUnplaced(text.getBytes(UTF_8)))
                .isInstanceOf(ParseResult.Malformed.class)
                .isEqualTo(JsonReader.read(text));
    }

    @Test
    void deepNestingIsRejectedWithoutPositions() {
        assertThat(JsonReader.readUnplaced("[".repeat(100_000).getBytes(UTF_8)))
                .isInstanceOf(ParseResult.Malformed.class);
    }

    @Test
    void membersAreImmutable() {
        var object = JsonObject.of("a", Json.of(1));
        var changed = object.with("b", Json.of(2)).without("a");

        assertThat(object.names()).containsExactly("a");
        assertThat(changed).isEqualTo(JsonObject.of("b", Json.of(2)));
        assertThatThrownBy(() -> changed.members().clear())
                .isInstanceOf(UnsupportedOperationException.class);
    }

    @Test
    void everyCharacterSurvivesWriting() {
        var text = new StringBuilder();
        for (var c = 0; c < 0x3000; c++) {
            text.append((char) c);
        }
        var value = Json.of(text.append("\ud83d\ude00\ud800").toString());

        assertThat(document(JsonReader.read(JsonWriter.bytes(value))).root()).isEqualTo(value);
    }

    private static ParsedDocument document(ParseResult reading) {
        return ((ParseResult.Documents) reading).documents().getFirst();
    }
}
