package dev.berth.server.patch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Field sets behave like sets of paths; the display name of a failure is its seed.
final class FieldSetTwinTest {

    /// Ends a step of a serialized path, so that a path is a prefix of another only by whole steps.
    private static final String STEP_END = "\n";

    static LongStream seeds() {
        return LongStream.range(0, 500);
    }

    private static Set<String> twin(FieldSet set) {
        return set.paths().stream().map(FieldSetTwinTest::written).collect(Collectors.toSet());
    }

    private static String written(List<PathStep> path) {
        return path.stream()
                .map(step -> step.serialized() + STEP_END)
                .collect(Collectors.joining());
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void operationsMatchSetsOfPaths(long seed) {
        var random = new RandomPatchValues(seed);
        var a = random.fields(4);
        var b = random.coin() ? random.fields(4) : a.union(random.fields(3));

        var union = twin(a);
        union.addAll(twin(b));
        assertThat(twin(a.union(b))).isEqualTo(union);

        var intersection = twin(a);
        intersection.retainAll(twin(b));
        assertThat(twin(a.intersection(b))).isEqualTo(intersection);

        var difference = twin(a);
        difference.removeAll(twin(b));
        assertThat(twin(a.difference(b))).isEqualTo(difference);

        var without = twin(a);
        without.removeIf(path -> twin(b).stream().anyMatch(path::startsWith));
        assertThat(twin(a.without(b))).isEqualTo(without);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void unchangedSetsAreTheSameObject(long seed) {
        var random = new RandomPatchValues(seed);
        var a = random.fields(4);
        var b = random.fields(4);
        assertThat(a.union(a.intersection(b))).isSameAs(a);
        assertThat(a.difference(b.difference(a))).isSameAs(a);
        var apart = a.difference(b);
        assertThat(apart.difference(b)).isSameAs(apart);
        var cut = a.without(b);
        assertThat(cut.without(b)).isSameAs(cut);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void builtSetsAreSortedByStep(long seed) {
        var random = new Random(seed);
        var steps = new ArrayList<PathStep>();
        for (var i = random.nextInt(40); i > 0; i--) {
            steps.add(
                    random.nextBoolean()
                            ? new PathStep.Indexed(random.nextInt(30))
                            : new PathStep.Named("n" + random.nextInt(30)));
        }
        var growing = new FieldSetBuilder(random.nextInt(3));
        var children = new LinkedHashSet<String>();
        for (var step : steps) {
            var child = new PathStep.Named("c" + random.nextInt(3));
            growing.add(step, FieldSet.ofPath(List.of(child)));
            children.add(written(List.of(step, child)));
        }
        growing.add(new PathStep.Named("nothing"), FieldSet.EMPTY);
        var set = growing.build(false);
        assertThat(set.paths().stream().map(FieldSetTwinTest::written).toList())
                .containsExactlyInAnyOrderElementsOf(children);
        assertThat(set.toJson().names())
                .containsExactlyElementsOf(
                        steps.stream().distinct().sorted().map(PathStep::serialized).toList());
    }

    @Test
    void stepsWithEqualKeysAreMerged() {
        var one = PatchTestTypes.object("{'f:a':{'k:{\\'b\\':1.0,\\'a\\':\\'x\\'}':{'f:c':{}}}}");
        var other = PatchTestTypes.object("{'f:a':{'k:{\\'a\\':\\'x\\',\\'b\\':1}':{'f:d':{}}}}");
        var both =
                PatchTestTypes.object(
                        "{'f:a':{'k:{\\'a\\':\\'x\\',\\'b\\':1}':{'f:c':{},'f:d':{}}}}");
        assertThat(
                        FieldSet.parse(one)
                                .orElseThrow()
                                .union(FieldSet.parse(other).orElseThrow())
                                .toJson())
                .isEqualTo(both);
    }
}
