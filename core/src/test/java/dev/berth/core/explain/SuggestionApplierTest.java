package dev.berth.core.explain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.allocate.Allocator;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Proposals are the smallest of their kind, come smallest first, and do not depend on the order in
/// which a cluster lists its objects.
class SuggestionApplierTest {

    static Stream<String> scenarios() throws IOException {
        return ExplanationGoldenTest.scenarios();
    }

    @ParameterizedTest
    @MethodSource("scenarios")
    void theSmallestChangeComesFirst(String name) throws IOException {
        assertThat(changes(ExplanationGoldenTest.situation(name)))
                .extracting(Suggestion::size)
                .isSorted();
    }

    @ParameterizedTest
    @MethodSource("scenarios")
    void noPartOfAChangeIsEnough(String name) throws IOException {
        var situation = ExplanationGoldenTest.situation(name);
        for (var change : changes(situation)) {
            for (var part : parts(change)) {
                assertThat(explain(SuggestionApplier.apply(part, situation)))
                        .as("%s instead of %s", part, change)
                        .isInstanceOf(Explanation.Misfit.class);
            }
        }
    }

    private static List<Suggestion> parts(Suggestion change) {
        return switch (change) {
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
    void theOrderOfNodesAndHoldersDoesNotMatter(String name) throws IOException {
        var situation = ExplanationGoldenTest.situation(name);
        var expected = changes(situation);
        for (var seed = 0; seed < 5; seed++) {
            var random = new Random(seed);
            var mixed =
                    new ExplainInputs(
                            situation.features(),
                            shuffled(situation.nodes(), random),
                            situation.barred(),
                            situation.classes(),
                            situation.slices(),
                            shuffled(situation.holders(), random),
                            situation.own(),
                            situation.claims(),
                            situation.extended());
            assertThat(changes(mixed)).as("seed %d", seed).isEqualTo(expected);
        }
    }

    private static <T> List<T> shuffled(List<T> list, Random random) {
        var copy = new ArrayList<>(list);
        Collections.shuffle(copy, random);
        return copy;
    }

    @Test
    void combinationsComeInOrder() {
        var found = new ArrayList<List<Integer>>();
        for (var all = new Combinations(3, 2); all.hasNext(); ) {
            var next = all.next();
            found.add(List.of(next[0], next[1]));
        }
        assertThat(found).containsExactly(List.of(0, 1), List.of(0, 2), List.of(1, 2));
        assertThat(new Combinations(2, 3).hasNext()).isFalse();
    }

    private static Explanation explain(ExplainInputs situation) {
        return new Explainer(new Allocator(Allocator.DEFAULT_BUDGET)).explain(situation);
    }

    private static List<Suggestion> changes(ExplainInputs situation) {
        return explain(situation) instanceof Explanation.Misfit misfit
                ? misfit.changes().stream().map(Suggestion.Proposal::change).toList()
                : List.of();
    }
}
