package dev.berth.model.api.selector;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LabelSelectorTest {

    private static final Map<String, String> LABELS = Map.of("app", "web", "size", "7");

    @Test
    void anEmptySelectorMatchesEverything() {
        assertThat(LabelSelector.EVERYTHING.matches(LABELS)).isTrue();
        assertThat(LabelSelector.EVERYTHING.matches(Map.of())).isTrue();
        assertThat(LabelSelector.EVERYTHING.isEverything()).isTrue();
    }

    @Test
    void allLabelsAndExpressionsMustMatch() {
        var in = new LabelSelector(Map.of("app", "web"), List.of(requirement("size", "In", "7")));
        assertThat(in.isEverything()).isFalse();
        assertThat(in.matches(LABELS)).isTrue();
        assertThat(in.matches(Map.of("app", "web"))).isFalse();
        assertThat(in.matches(Map.of("app", "db", "size", "7"))).isFalse();
    }

    @Test
    void treesAndMapsOfLabelsMatchAlike() {
        var in =
                new LabelSelector(Map.of("app", "web"), List.of(requirement("size", "NotIn", "8")));
        var labels = JsonObject.of("app", Json.of("web"));
        assertThat(in.matches(labels)).isTrue();
        assertThat(in.matches(labels.with("size", Json.of("8")))).isFalse();
        assertThat(in.matches(JsonObject.EMPTY)).isFalse();
    }

    @Test
    void absentLabelsMatchNotInAndDoesNotExist() {
        assertThat(matches("old", "NotIn", "yes")).isTrue();
        assertThat(matches("old", "DoesNotExist")).isTrue();
        assertThat(matches("old", "In", "yes")).isFalse();
        assertThat(matches("old", "Exists")).isFalse();
        assertThat(matches("app", "DoesNotExist")).isFalse();
    }

    @Test
    void operatorsOfNodeSelectorsMatchNothing() {
        assertThat(matches("size", "Gt", "6")).isFalse();
        assertThat(matches("size", "Lt", "8")).isFalse();
        assertThat(matches("size", "Near", "7")).isFalse();
    }

    @Test
    void labelKeysAddRequirementsForLabelsOfThePod() {
        var selector = new LabelSelector(Map.of("app", "web"), List.of());
        var keyed = selector.withLabelKeys(List.of("size", "absent"), List.of("tier"), LABELS);
        assertThat(keyed.matches(LABELS)).isTrue();
        assertThat(keyed.matches(Map.of("app", "web", "size", "8"))).isFalse();
        assertThat(selector.withLabelKeys(List.of(), List.of("app"), LABELS).matches(LABELS))
                .isFalse();
        assertThat(selector.withLabelKeys(List.of(), List.of(), LABELS)).isSameAs(selector);
    }

    private static boolean matches(String key, String operator, String... values) {
        return new LabelSelector(Map.of(), List.of(requirement(key, operator, values)))
                .matches(LABELS);
    }

    private static NodeSelectorRequirement requirement(
            String key, String operator, String... values) {
        return new NodeSelectorRequirement(
                key, NodeSelectorOperator.setBased(operator), List.of(values));
    }
}
