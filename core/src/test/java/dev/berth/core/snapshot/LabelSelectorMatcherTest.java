package dev.berth.core.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.snapshot.AffinityProfile.AffinityTerms;
import dev.berth.model.api.selector.LabelSelector;
import dev.berth.model.api.selector.NodeSelectorOperator;
import dev.berth.model.api.selector.NodeSelectorRequirement;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LabelSelectorMatcherTest {

    private static final Map<String, String> LABELS = Map.of("app", "web", "size", "7");
    private static final LabelSelector EVERYTHING = new LabelSelector(Map.of(), List.of());

    @Test
    void anEmptySelectorMatchesEverything() {
        assertThat(LabelSelectorMatcher.matches(EVERYTHING, LABELS)).isTrue();
        assertThat(LabelSelectorMatcher.matches(EVERYTHING, Map.of())).isTrue();
    }

    @Test
    void anAbsentSelectorMatchesNothing() {
        assertThat(selects(Optional.of(EVERYTHING))).isTrue();
        assertThat(selects(Optional.empty())).isFalse();
    }

    @Test
    void allLabelsAndExpressionsMustMatch() {
        var in = new LabelSelector(Map.of("app", "web"), List.of(requirement("size", "In", "7")));
        assertThat(LabelSelectorMatcher.matches(in, LABELS)).isTrue();
        assertThat(LabelSelectorMatcher.matches(in, Map.of("app", "web"))).isFalse();
        assertThat(LabelSelectorMatcher.matches(in, Map.of("app", "db", "size", "7"))).isFalse();
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

    private static boolean matches(String key, String operator, String... values) {
        var selector = new LabelSelector(Map.of(), List.of(requirement(key, operator, values)));
        return LabelSelectorMatcher.matches(selector, LABELS);
    }

    private static NodeSelectorRequirement requirement(
            String key, String operator, String... values) {
        return new NodeSelectorRequirement(key, NodeSelectorOperator.of(operator), List.of(values));
    }

    private static boolean selects(Optional<LabelSelector> selector) {
        var term = new AffinityTerm(List.of("default"), Optional.empty(), selector, "zone");
        var none = new AffinityTerms(List.of(), List.of());
        return term.matches(
                new AffinityProfile("default", LABELS, false, none, none),
                NamespaceLabels.UNLABELLED);
    }
}
