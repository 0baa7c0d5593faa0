package dev.berth.core.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.snapshot.AffinityProfile.AffinityTerms;
import dev.berth.model.api.selector.LabelSelector;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class AffinityTermTest {

    @Test
    void anAbsentSelectorMatchesNothing() {
        assertThat(selects(Optional.of(LabelSelector.EVERYTHING))).isTrue();
        assertThat(selects(Optional.empty())).isFalse();
    }

    private static boolean selects(Optional<LabelSelector> selector) {
        var term = new AffinityTerm(List.of("default"), Optional.empty(), selector, "zone");
        var none = new AffinityTerms(List.of(), List.of());
        return term.matches(
                new AffinityProfile("default", Map.of("app", "web"), false, none, none),
                NamespaceLabels.UNLABELLED);
    }
}
