package dev.berth.core.explain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.allocate.Allocator;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Suggestions are minimal, sorted by size, and independent of the order in which a cluster lists
/// its objects.
class SuggestionApplierTest {

    static Stream<String> scenarios() throws IOException {
        return ExplanationGoldenTest.scenarios();
    }

    @ParameterizedTest
    @MethodSource("scenarios")
    void suggestionsAreSortedByOwnerAndSize(String name) throws IOException {
        if (explain(ExplanationGoldenTest.inputs(name)) instanceof Explanation.Misfit misfit) {
            assertThat(misfit.suggestions())
                    .isSortedAccordingTo(
                            Comparator.comparing(Suggestion.Verified::owner)
                                    .thenComparingLong(one -> one.suggestion().size()));
        }
    }

    @ParameterizedTest
    @MethodSource("scenarios")
    void suggestionsAreMinimal(String name) throws IOException {
        var inputs = ExplanationGoldenTest.inputs(name);
        for (var suggestion : suggestions(inputs)) {
            for (var part : parts(suggestion)) {
                assertThat(explain(SuggestionApplier.apply(part, inputs)))
                        .as("%s instead of %s", part, suggestion)
                        .isInstanceOf(Explanation.Misfit.class);
            }
        }
    }

    private static List<Suggestion> parts(Suggestion suggestion) {
        return switch (suggestion) {
            case Suggestion.Release(var claims) ->
                    without(claims).stream().<Suggestion>map(Suggestion.Release::new).toList();
            case Suggestion.Tolerate(var claim, var request, var taints) ->
                    without(taints).stream()
                            .<Suggestion>map(
                                    fewer -> new Suggestion.Tolerate(claim, request, fewer))
                            .toList();
            case Suggestion.LowerCount(var claim, var request, var from, var to) ->
                    from - to > 1
                            ? List.of(new Suggestion.LowerCount(claim, request, from, to + 1))
                            : List.of();
            default -> List.of();
        };
    }

    private static <T> List<List<T>> without(List<T> all) {
        var parts = new ArrayList<List<T>>();
        for (var i = 0; i < all.size(); i++) {
            var fewer = new ArrayList<>(all);
            fewer.remove(i);
            parts.add(fewer);
        }
        return parts;
    }

    @ParameterizedTest
    @MethodSource("scenarios")
    void suggestionsDoNotDependOnOrderOfNodesAndHolders(String name) throws IOException {
        var inputs = ExplanationGoldenTest.inputs(name);
        var expected = suggestions(inputs);
        for (var seed = 0; seed < 5; seed++) {
            var random = new Random(seed);
            var mixed =
                    new ExplainInputs(
                            inputs.features(),
                            shuffled(inputs.nodes(), random),
                            inputs.rejections(),
                            inputs.classes(),
                            inputs.slices(),
                            shuffled(inputs.holders(), random),
                            inputs.own(),
                            inputs.claims(),
                            inputs.extended(),
                            inputs.pod(),
                            inputs.taintRules(),
                            inputs.blockers());
            assertThat(suggestions(mixed)).as("seed %d", seed).isEqualTo(expected);
        }
    }

    private static <T> List<T> shuffled(List<T> list, Random random) {
        var copy = new ArrayList<>(list);
        Collections.shuffle(copy, random);
        return copy;
    }

    @Test
    void combinationsAreInLexicographicOrder() {
        var found = new ArrayList<List<Integer>>();
        for (var all = new Combinations(3, 2); all.hasNext(); ) {
            var next = all.next();
            found.add(List.of(next[0], next[1]));
        }
        assertThat(found).containsExactly(List.of(0, 1), List.of(0, 2), List.of(1, 2));
        assertThat(new Combinations(2, 3).hasNext()).isFalse();
    }

    private static Explanation explain(ExplainInputs inputs) {
        return new Explainer(new Allocator(Allocator.DEFAULT_BUDGET)).explain(inputs);
    }

    private static List<Suggestion> suggestions(ExplainInputs inputs) {
        return explain(inputs) instanceof Explanation.Misfit misfit
                ? misfit.suggestions().stream().map(Suggestion.Verified::suggestion).toList()
                : List.of();
    }
}
