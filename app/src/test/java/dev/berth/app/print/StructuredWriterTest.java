package dev.berth.app.print;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.JsonWriter;
import dev.berth.model.json.YamlWriter;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class StructuredWriterTest {

    private static final List<Json> ITEMS =
            List.of(
                    JsonObject.of("name", Json.of("a\nb")).with("list", Json.array()),
                    Json.of(3),
                    Json.array(Json.of("x"), JsonObject.EMPTY),
                    JsonObject.of("nested", JsonObject.of("deep", Json.array(Json.of(true)))));

    private static final JsonObject WHOLE =
            JsonObject.of("first", Json.of(true))
                    .with("items", Json.array(ITEMS))
                    .with("none", Json.array())
                    .with("last", JsonObject.of("a", Json.of(1)));

    private static void write(StructuredWriter writer) {
        writer.member("first", Json.of(true));
        writer.array("items", ITEMS.iterator());
        writer.array("none", List.<Json>of().iterator());
        writer.member("last", JsonObject.of("a", Json.of(1)));
    }

    @Test
    void jsonEqualsThatOfTheWholeTree() {
        assertThat(text(true, StructuredWriterTest::write)).isEqualTo(JsonWriter.pretty(WHOLE));
    }

    @Test
    void yamlEqualsThatOfTheWholeTree() {
        assertThat(text(false, StructuredWriterTest::write)).isEqualTo(YamlWriter.write(WHOLE));
    }

    @Test
    void anArrayCanBeTheFirstMember() {
        assertThat(text(true, writer -> writer.array("items", ITEMS.iterator())))
                .isEqualTo(JsonWriter.pretty(JsonObject.of("items", Json.array(ITEMS))));
    }

    @Test
    void anObjectWithoutMembersIsValidJson() {
        assertThat(text(true, _ -> {})).isEqualTo(JsonWriter.pretty(JsonObject.EMPTY));
    }

    private static String text(boolean isJson, Consumer<StructuredWriter> content) {
        var text = new StringWriter();
        var out = new PrintWriter(text);
        try (var writer = new StructuredWriter(out, isJson)) {
            content.accept(writer);
        }
        out.flush();
        return text.toString();
    }
}
