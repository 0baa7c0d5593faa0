package dev.berth.testkit.explain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.allocate.Allocator;
import dev.berth.core.allocate.AllocatorFeature;
import dev.berth.core.explain.ClusterObjects;
import dev.berth.core.explain.ExplainInputs;
import dev.berth.core.explain.ExplainOptions;
import dev.berth.core.explain.Explainer;
import dev.berth.core.explain.Explanation;
import dev.berth.core.explain.ExplanationText;
import dev.berth.core.explain.NodeReport;
import dev.berth.core.explain.Suggestion;
import dev.berth.core.explain.WaitForecast;
import dev.berth.core.place.AffinityTerm;
import dev.berth.core.place.Rejection;
import dev.berth.core.schedule.ClaimInspection;
import dev.berth.model.api.ObjectRef;
import java.time.Instant;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.Test;

/// All that is said about nodes that are ruled out, and about resources that devices serve, is
/// true, and nothing is left out. `-Dberth.explain.worlds=100000` asks more.
class RuledOutTruthTest {

    private static final int WORLDS = Integer.getInteger("berth.explain.worlds", 2_000);

    private final Explainer explainer = new Explainer(new Allocator(Allocator.DEFAULT_BUDGET));

    @Test
    void everyRuleThatTakesANodeIsNamedWithItsNumbers() {
        var kinds = new HashSet<Class<?>>();
        for (var seed = 0; seed < WORLDS; seed++) {
            var world = SmallWorld.of(seed);
            var count = new CountedByHand(world);
            var rejections = inputs(world).rejections();
            for (var place : world.places()) {
                var reasons = rejections.getOrDefault(place.name(), List.of());
                reasons.forEach(reason -> kinds.add(reason.getClass()));
                assertThat(reasons.stream().map(RuledOutTruthTest::fact).sorted().toList())
                        .as("seed %d, node %s", seed, place.name())
                        .isEqualTo(count.against(place));
            }
        }
        assertThat(kinds).hasSizeGreaterThanOrEqualTo(10);
    }

    @Test
    void whatIsSaidOfDevicesForResourcesIsTrue() {
        var fits = 0;
        for (var seed = 0; seed < WORLDS; seed++) {
            var world = SmallWorld.of(seed);
            var count = new CountedByHand(world);
            var explanation = explainer.explain(inputs(world));
            assertThat(ExplanationText.of(explanation)).isNotEmpty();
            switch (explanation) {
                case Explanation.Fits fit -> {
                    fits++;
                    var place = world.place(fit.node());
                    assertThat(count.against(place)).as("seed %d", seed).isEmpty();
                    assertThat(count.hasGpus(place)).as("seed %d", seed).isTrue();
                }
                case Explanation.Misfit misfit -> checkMisfit(seed, count, misfit);
            }
        }
        assertThat(fits).isBetween(WORLDS / 10, WORLDS * 9 / 10);
    }

    private static void checkMisfit(int seed, CountedByHand count, Explanation.Misfit misfit) {
        for (var place : count.world().places()) {
            assertThat(count.against(place).isEmpty() && count.hasGpus(place))
                    .as("seed %d, node %s", seed, place.name())
                    .isFalse();
        }
        misfit.nodes().forEach(report -> checkNode(seed, count, report));
        for (var verified : misfit.suggestions()) {
            if (verified.suggestion() instanceof Suggestion.AllowNode(var node, _)) {
                assertThat(count.hasGpus(count.world().place(node))).as("seed %d", seed).isTrue();
            }
        }
        if (misfit.waiting()
                instanceof WaitForecast.AfterPodChanges(var node, var reasons, var devicesToo)) {
            var place = count.world().place(node);
            assertThat(count.against(place)).as("seed %d", seed).hasSameSizeAs(reasons);
            assertThat(count.hasGpus(place)).as("seed %d", seed).isEqualTo(!devicesToo);
        }
    }

    private static void checkNode(int seed, CountedByHand count, NodeReport report) {
        var place = count.world().place(report.node());
        if (place.plugin() > 0) {
            assertThat(report.requests()).as("seed %d", seed).isEmpty();
            return;
        }
        var request = report.requests().getFirst();
        assertThat(request.serves().getFirst().resourceName()).isEqualTo("example.com/gpu");
        assertThat(request.deviceClass()).isEqualTo("gpu");
        assertThat(request.needed()).as("seed %d", seed).isEqualTo(count.world().wanted().gpus());
        assertThat(request.ofClass()).as("seed %d", seed).isEqualTo(place.devices());
        assertThat(request.left()).as("seed %d", seed).isEqualTo(CountedByHand.free(place));
    }

    private static ExplainInputs inputs(SmallWorld world) {
        var found =
                world.objects()
                        .ofPod(
                                new ExplainOptions(
                                        EnumSet.allOf(AllocatorFeature.class),
                                        ClaimInspection.DEFAULT_BINDING_TIMEOUT,
                                        Instant.EPOCH),
                                new ObjectRef("default", "pod"));
        return ((ClusterObjects.Lookup.Found) found).inputs();
    }

    /// The reason in the words of those who count by hand.
    private static String fact(Rejection reason) {
        return switch (reason) {
            case Rejection.Unschedulable _ -> "unschedulable";
            case Rejection.UntoleratedTaint(var taint) -> "tainted " + taint.key();
            case Rejection.NodeAffinityMismatch(var label) -> "wants " + label.orElseThrow();
            case Rejection.PortTaken(var port) -> "port " + port;
            case Rejection.Insufficient(var resource, var asked, var left, var total) ->
                    "%s %s, %s of %s".formatted(resource, asked, left, total);
            case Rejection.TopologyLabelMissing(var key) -> "no %s to spread over".formatted(key);
            case Rejection.TopologySkewExceeded(var place, var pods, var fewest, var maxSkew) ->
                    "%s %d, %d and %d".formatted(place, pods, fewest, maxSkew);
            case Rejection.PodAffinityNotMet(var key, var place, var terms) ->
                    "near %s: %s"
                            .formatted(
                                    app(terms.getFirst()),
                                    place.map(where -> "none in " + where).orElse("no " + key));
            case Rejection.PodAntiAffinityViolated(var place, var term, var pods) ->
                    "apart %s: %d in %s".formatted(app(term), pods, place);
            case Rejection.ExistingAntiAffinityViolated(var place, var pods) ->
                    "%d keep away in %s".formatted(pods, place);
            default -> "unexpected " + reason;
        };
    }

    private static String app(AffinityTerm term) {
        return String.valueOf(term.labelSelector().orElseThrow().matchLabels().get("app"));
    }
}
