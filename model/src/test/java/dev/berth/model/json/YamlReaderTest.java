package dev.berth.model.json;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class YamlReaderTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "yes|true",
                "On|true",
                "off|false",
                "0755|493",
                "0x1F|31",
                "08|8",
                "0_9|9",
                "0x_|\"0x_\"",
                "1e400|\"1e400\"",
                "1e-400|0",
                "1_000|1000",
                "-12|-12",
                "1.0|1",
                "1.50|1.5",
                "1e3|1000",
                "40Gi|\"40Gi\"",
                "2024-01-02|\"2024-01-02\"",
                "'\"yes\"'|\"yes\"",
                "!!str 12|\"12\"",
                "1.2.3|\"1.2.3\"",
            })
    void plainScalarsResolveAsInKubernetes(String yaml, String json) {
        assertThat(JsonWriter.compact(only(yaml).root())).isEqualTo(json);
    }

    @Test
    void documentsAreReadInOrderAndEmptyOnesLeftOut() {
        var documents = documents("a: 1\n---\n---\n# nothing\n---\nb: [2]\n");

        assertThat(documents.stream().map(d -> JsonWriter.compact(d.root())))
                .containsExactly("{\"a\":1}", "{\"b\":[2]}");
    }

    @Test
    void aliasesAndMergeKeysAreResolved() {
        var yaml =
                """
                base: &base {x: 1, z: 2}
                one: *base
                two:
                  <<: *base
                  z: 3
                """;

        assertThat(JsonWriter.compact(only(yaml).root()))
                .isEqualTo(
                        "{'base':{'x':1,'z':2},'one':{'x':1,'z':2},'two':{'z':3,'x':1}}"
                                .replace('\'', '"'));
    }

    @Test
    void positionsFallBackToTheNearestExistingValue() {
        var source = only("spec:\n  devices:\n  - name: a\n  - name: b\n").source();

        var second = FieldPath.of("spec", "devices").index(1);

        assertThat(source.nearest(second.child("name")).line()).isEqualTo(4);
        assertThat(source.nearest(second.child("missing").child("deep")).line()).isEqualTo(4);
        assertThat(source.nearest(second.child("name")).column()).isEqualTo(11);
    }

    @Test
    void duplicateNamesAreReportedAndTheLastWins() {
        var document = only("spec:\n  a: 1\n  a: 2\n");

        assertThat(document.duplicates()).extracting(FieldPath::toString).containsExactly("spec.a");
        assertThat(JsonWriter.compact(document.root())).isEqualTo("{\"spec\":{\"a\":2}}");
    }

    @Test
    void anAliasBombIsRejected() {
        var bomb = new StringBuilder("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
        for (var i = 1; i < 12; i++) {
            bomb.append("a%d: &a%d [".formatted(i, i))
                    .append("*a%d, ".formatted(i - 1).repeat(10))
                    .append("]\n");
        }

        assertThat(YamlReader.read(bomb.toString()))
                .isInstanceOfSatisfying(
                        ParseResult.Malformed.class,
                        m -> assertThat(m.message()).contains("aliases stand for more"));
    }

    @ParameterizedTest
    @CsvSource({"'a: [1, 2',1", "'a: 1\nb: *nowhere',2", "'? [1]\n: 2',1", "'a: .nan',1"})
    void malformedTextIsRejectedWithItsPosition(String yaml, int line) {
        assertThat(YamlReader.read(yaml))
                .isInstanceOfSatisfying(
                        ParseResult.Malformed.class, m -> assertThat(m.line()).isEqualTo(line));
    }

    @Test
    void deepNestingIsRefused() {
        assertThat(YamlReader.read("[".repeat(100_000))).isInstanceOf(ParseResult.Malformed.class);
        assertThat(JsonReader.read("[".repeat(100_000))).isInstanceOf(ParseResult.Malformed.class);
    }

    @Test
    void longNamesAreRefused() {
        assertThat(documents("? " + "k".repeat(50_000))).hasSize(1);
        assertThat(YamlReader.read("? " + "k".repeat(50_001)))
                .isInstanceOf(ParseResult.Malformed.class);
    }

    @Test
    void aliasesCannotNestDeeperThanText() {
        var levels = "[".repeat(150) + "%s" + "]".repeat(150);
        var yaml = "- &a " + levels.formatted("x") + "\n- &b " + levels.formatted("*a") + "\n";

        assertThat(YamlReader.read(yaml))
                .isInstanceOfSatisfying(
                        ParseResult.Malformed.class,
                        m -> assertThat(m.message()).contains("nested deeper"));
        assertThat(documents("- &a " + levels.formatted("x") + "\n- *a\n- [[*a]]")).hasSize(1);
    }

    @Test
    void aliasesCountAgainstTheValueLimit() {
        var longText = "- &a " + "x".repeat(100_000) + "\n- [" + "*a, ".repeat(100) + "]\n";
        var many = "- &a [" + "x, ".repeat(1_000) + "]\n- [" + "*a, ".repeat(1_000) + "]\n";

        assertThat(YamlReader.read(longText)).isInstanceOf(ParseResult.Malformed.class);
        assertThat(YamlReader.read(many)).isInstanceOf(ParseResult.Malformed.class);
        assertThat(documents("- &a " + "x".repeat(100_000) + "\n- [*a, *a]\n")).hasSize(1);
    }

    private static ParsedDocument only(String yaml) {
        assertThat(documents(yaml)).hasSize(1);
        return documents(yaml).get(0);
    }

    private static List<ParsedDocument> documents(String yaml) {
        return switch (YamlReader.read(yaml)) {
            case ParseResult.Documents(var documents) -> documents;
            case ParseResult.Malformed m -> throw new AssertionError(m);
        };
    }
}
