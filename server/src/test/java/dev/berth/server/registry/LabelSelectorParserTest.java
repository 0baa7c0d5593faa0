package dev.berth.server.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.ParseResult;
import dev.berth.model.json.YamlReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LabelSelectorParserTest {

    private static final JsonObject LABELS =
            JsonObject.of("app", Json.of("web"))
                    .with("example.com/size", Json.of("7"))
                    .with("empty", Json.of(""));

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "app",
                "app=web",
                "app==web",
                "app = web",
                "app in (web)",
                "app in (a, web ,b)",
                "app notin (a,b)",
                "other notin (a)",
                "app!=db",
                "other!=db",
                "!other",
                "! other",
                "empty=",
                "empty in ()",
                "empty in (,x)",
                "example.com/size>6",
                "example.com/size<8",
                "app=web,!other,example.com/size=7",
                "in",
                "app,notin!=x"
            })
    void matches(String selector) {
        var labels = selector.equals("in") ? LABELS.with("in", Json.of("x")) : LABELS;
        assertThat(LabelSelectorParser.parse(selector).matches(labels)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "other",
                "app=db",
                "app!=web",
                "app in (a,b)",
                "app notin (web)",
                "!app",
                "empty!=",
                "example.com/size>7",
                "example.com/size<7",
                "app>1",
                "app=web,other"
            })
    void doesNotMatch(String selector) {
        assertThat(LabelSelectorParser.parse(selector).matches(LABELS)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "app in",
                "app in (a",
                "app in a",
                "app of (a)",
                "=a",
                "app=a=b",
                "app,",
                ",",
                "!",
                "app>x",
                "app (a)",
                "a b"
            })
    void malformedSelectorIsRejected(String selector) {
        assertThatExceptionOfType(ApiException.class)
                .isThrownBy(() -> LabelSelectorParser.parse(selector))
                .satisfies(e -> assertThat(e.error().code()).isEqualTo(400));
    }

    @Test
    void emptySelectorMatchesEverything() {
        assertThat(LabelSelectorParser.parse("").isEverything()).isTrue();
        assertThat(LabelSelectorParser.parse("a").isEverything()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{matchLabels: {}, matchExpressions: []}",
                "{matchLabels: {app: web, empty: ''}}",
                "{matchExpressions: [{key: app, operator: In, values: [db, web]}]}",
                "{matchExpressions: [{key: app, operator: NotIn, values: [db]}]}",
                "{matchExpressions: [{key: other, operator: NotIn, values: [db]}]}",
                "{matchExpressions: [{key: empty, operator: Exists}]}",
                "{matchExpressions: [{key: other, operator: DoesNotExist}]}",
                "{matchLabels: {app: web}, matchExpressions: [{key: empty, operator: Exists}]}"
            })
    void selectorOfAnObjectMatches(String selector) {
        assertThat(LabelSelectorParser.read(tree(selector)).matches(LABELS)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{matchLabels: {app: db}}",
                "{matchLabels: {other: ''}}",
                "{matchLabels: {app: web, other: x}}",
                "{matchExpressions: [{key: app, operator: In, values: [db]}]}",
                "{matchExpressions: [{key: other, operator: In, values: ['']}]}",
                "{matchExpressions: [{key: app, operator: NotIn, values: [db, web]}]}",
                "{matchExpressions: [{key: other, operator: Exists}]}",
                "{matchExpressions: [{key: app, operator: DoesNotExist}]}",
                "{matchExpressions: [{key: example.com/size, operator: Gt, values: ['6']}]}",
                "{matchExpressions: [{key: example.com/size, operator: Lt, values: ['8']}]}",
                "{matchExpressions: [{key: app, operator: Near, values: [web]}]}",
                "{matchExpressions: [{key: app}]}",
                "{matchLabels: {app: web}, matchExpressions: [{key: app, operator: DoesNotExist}]}"
            })
    void selectorOfAnObjectDoesNotMatch(String selector) {
        assertThat(LabelSelectorParser.read(tree(selector)).matches(LABELS)).isFalse();
    }

    private static JsonObject tree(String yaml) {
        var result = (ParseResult.Documents) YamlReader.read(yaml);
        return (JsonObject) result.documents().getFirst().root();
    }
}
