package dev.berth.model.json;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.json.Json.JsonNull;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class JsonRoundTripTest {

    private static final List<String> AWKWARD =
            List.of(
                    "",
                    " ",
                    "yes",
                    "null",
                    "1e3",
                    "0x1f",
                    "a: b",
                    "- x",
                    "#c",
                    "'",
                    "\"",
                    "\\",
                    "line\nline\n",
                    "line\n line",
                    "\n",
                    "tab\tend ",
                    "%x",
                    "*a",
                    "&a",
                    "!t",
                    "|",
                    ">",
                    "{",
                    "[",
                    "ünïcode",
                    "\u2028",
                    "\uD83D\uDE80",
                    "\u0000",
                    "1.0",
                    "a ",
                    "=",
                    "<<",
                    "@x",
                    "`x",
                    "trail \nx",
                    "x\n\n\ny\n",
                    "key with spaces",
                    "2024-01-02");

    @Test
    void writtenTextParsesToTheSameValue() {
        for (var seed = 0; seed < 2_000; seed++) {
            var tree = object(new Random(seed), 4);

            assertThat(root(JsonReader.read(JsonWriter.compact(tree))))
                    .as("seed %d", seed)
                    .isEqualTo(tree);
            assertThat(root(JsonReader.read(JsonWriter.pretty(tree))))
                    .as("seed %d", seed)
                    .isEqualTo(tree);
            assertThat(root(YamlReader.read(YamlWriter.write(tree))))
                    .as("seed %d: %s", seed, YamlWriter.write(tree))
                    .isEqualTo(tree);
        }
    }

    @Test
    void keysMayBeLong() {
        var key = "k".repeat(3_000);
        var inner = JsonObject.of(key, Json.array(Json.of(1), JsonObject.of(key, Json.of("x"))));
        var tree = JsonObject.of(key, Json.array(inner, inner));

        assertThat(root(YamlReader.read(YamlWriter.write(tree)))).isEqualTo(tree);
    }

    @Test
    void severalDocumentsReadBackAsMany() {
        var one = JsonObject.of("a", Json.of(1));
        var two = JsonObject.of("b", Json.array(Json.of("x")));

        var reading = YamlReader.read(YamlWriter.writeAll(List.of(one, two)));

        assertThat(((ParseResult.Documents) reading).documents())
                .extracting(ParsedDocument::root)
                .containsExactly(one, two);
    }

    private static Json root(ParseResult reading) {
        return switch (reading) {
            case ParseResult.Documents(var documents) -> documents.getFirst().root();
            case ParseResult.Malformed malformed -> throw new AssertionError(malformed);
        };
    }

    private static Json any(Random random, int depth) {
        return switch (random.nextInt(depth == 0 ? 4 : 6)) {
            case 0 -> Json.of(AWKWARD.get(random.nextInt(AWKWARD.size())));
            case 1 -> Json.of(random.nextLong());
            case 2 -> Json.of(random.nextBoolean());
            case 3 -> JsonNull.INSTANCE;
            case 4 -> object(random, depth - 1);
            default -> list(random, depth - 1);
        };
    }

    private static JsonObject object(Random random, int depth) {
        var members = new LinkedHashMap<String, Json>();
        for (var i = 0; i < random.nextInt(4); i++) {
            members.put(AWKWARD.get(random.nextInt(AWKWARD.size())), any(random, depth));
        }
        return new JsonObject(members);
    }

    private static Json list(Random random, int depth) {
        var items = new ArrayList<Json>();
        for (var i = 0; i < random.nextInt(4); i++) {
            items.add(any(random, depth));
        }
        return Json.array(items);
    }
}
