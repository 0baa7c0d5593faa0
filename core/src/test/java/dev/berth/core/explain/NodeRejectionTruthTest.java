package dev.berth.core.explain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.allocate.Allocator;
import dev.berth.core.allocate.rule.AllocatorFeature;
import dev.berth.core.explain.text.ExplanationText;
import dev.berth.core.place.Rejection;
import dev.berth.core.place.filter.InterPodAffinityFilter;
import dev.berth.core.place.filter.NodeAffinityFilter;
import dev.berth.core.place.filter.NodePortsFilter;
import dev.berth.core.place.filter.NodeResourcesFitFilter;
import dev.berth.core.place.filter.NodeUnschedulableFilter;
import dev.berth.core.place.filter.PodTopologySpreadFilter;
import dev.berth.core.place.filter.TaintTolerationFilter;
import dev.berth.core.schedule.ClaimInspection;
import dev.berth.core.snapshot.AffinityTerm;
import dev.berth.model.api.meta.ObjectRef;
import java.time.Instant;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Compares the explanations of rejected nodes and of extended resources with independent node
/// filters on random small clusters. `-Dberth.explain.worlds=100000` tests more clusters.
class NodeRejectionTruthTest {

    private static final int CLUSTERS = Integer.getInteger("berth.explain.worlds", 2_000);

    private final Explainer explainer = new Explainer(new Allocator(Allocator.DEFAULT_BUDGET));

    @Test
    void everyFilterThatRejectsANodeIsExplainedWithItsNumbers() {
        var kinds = new HashSet<Class<?>>();
        for (var seed = 0; seed < CLUSTERS; seed++) {
            var cluster = SmallCluster.of(seed);
            var count = new ReferenceNodeFilters(cluster);
            var rejections = inputs(cluster).rejections();
            for (var testNode : cluster.testNodes()) {
                var reasons = rejections.getOrDefault(testNode.name(), List.of());
                reasons.forEach(reason -> kinds.add(reason.getClass()));
                assertThat(reasons.stream().map(NodeRejectionTruthTest::fact).sorted().toList())
                        .as("seed %d, node %s", seed, testNode.name())
                        .isEqualTo(count.rejections(testNode));
            }
        }
        assertThat(kinds).hasSizeGreaterThanOrEqualTo(10);
    }

    @Test
    void explanationsOfExtendedResourcesAreTrue() {
        var fits = 0;
        var facts = 0;
        for (var seed = 0; seed < CLUSTERS; seed++) {
            var cluster = SmallCluster.of(seed);
            var count = new ReferenceNodeFilters(cluster);
            var explanation = explainer.explain(inputs(cluster));
            assertThat(ExplanationText.of(explanation)).isNotEmpty();
            switch (explanation) {
                case Explanation.Fits fit -> {
                    fits++;
                    var testNode = cluster.testNode(fit.node());
                    assertThat(count.rejections(testNode)).as("seed %d", seed).isEmpty();
                    assertThat(count.hasGpus(testNode)).as("seed %d", seed).isTrue();
                }
                case Explanation.Blocked blocked -> throw new AssertionError(blocked);
                case Explanation.Misfit misfit -> {
                    checkMisfit(seed, count, misfit);
                    var finding = new NodeFindingFacts(cluster, seed);
                    facts += misfit.findings().stream().mapToInt(finding::check).sum();
                }
            }
        }
        assertThat(fits).isBetween(CLUSTERS / 10, CLUSTERS * 9 / 10);
        assertThat(facts).isGreaterThan(CLUSTERS / 4);
    }

    private static void checkMisfit(
            int seed, ReferenceNodeFilters count, Explanation.Misfit misfit) {
        for (var testNode : count.cluster().testNodes()) {
            assertThat(count.rejections(testNode).isEmpty() && count.hasGpus(testNode))
                    .as("seed %d, node %s", seed, testNode.name())
                    .isFalse();
        }
        misfit.nodes().forEach(report -> checkNode(seed, count, report));
        for (var verified : misfit.suggestions()) {
            if (verified.suggestion() instanceof Suggestion.AllowNode(var node, _)) {
                assertThat(count.hasGpus(count.cluster().testNode(node)))
                        .as("seed %d", seed)
                        .isTrue();
            }
        }
        if (misfit.waiting()
                instanceof WaitForecast.AfterPodChanges(var node, var reasons, var devicesToo)) {
            var testNode = count.cluster().testNode(node);
            assertThat(count.rejections(testNode)).as("seed %d", seed).hasSameSizeAs(reasons);
            assertThat(count.hasGpus(testNode)).as("seed %d", seed).isEqualTo(!devicesToo);
        }
    }

    private static void checkNode(int seed, ReferenceNodeFilters count, NodeReport report) {
        var testNode = count.cluster().testNode(report.node());
        if (testNode.plugin() > 0) {
            assertThat(report.requests()).as("seed %d", seed).isEmpty();
            return;
        }
        var request = report.requests().getFirst();
        assertThat(request.serves().getFirst().resourceName()).isEqualTo("example.com/gpu");
        assertThat(request.deviceClass()).isEqualTo("gpu");
        assertThat(request.needed())
                .as("seed %d", seed)
                .isEqualTo(count.cluster().pending().gpus());
        assertThat(request.ofClass()).as("seed %d", seed).isEqualTo(testNode.devices());
        assertThat(request.left())
                .as("seed %d", seed)
                .isEqualTo(ReferenceNodeFilters.free(testNode));
    }

    private static ExplainInputs inputs(SmallCluster cluster) {
        var found =
                cluster.objects()
                        .ofPod(
                                new ExplainOptions(
                                        EnumSet.allOf(AllocatorFeature.class),
                                        ClaimInspection.DEFAULT_BINDING_TIMEOUT,
                                        Instant.EPOCH),
                                new ObjectRef("default", "pod"));
        return ((ClusterObjects.Lookup.Found) found).inputs();
    }

    /// The reason in the notation of [ReferenceNodeFilters].
    private static String fact(Rejection reason) {
        return switch (reason) {
            case NodeUnschedulableFilter.Unschedulable _ -> "unschedulable";
            case TaintTolerationFilter.UntoleratedTaint(var taint) -> "tainted " + taint.key();
            case NodeAffinityFilter.NodeAffinityMismatch(var label) ->
                    "wants " + label.orElseThrow();
            case NodePortsFilter.PortTaken(var port) -> "port " + port;
            case NodeResourcesFitFilter.Insufficient(
                            var resource,
                            var requested,
                            var left,
                            var total) ->
                    "%s %s, %s of %s".formatted(resource, requested, left, total);
            case PodTopologySpreadFilter.TopologyLabelMissing(var key) ->
                    "no %s to spread over".formatted(key);
            case PodTopologySpreadFilter.TopologySkewExceeded(
                            var domain,
                            var pods,
                            var fewest,
                            var maxSkew) ->
                    "%s %d, %d and %d".formatted(domain, pods, fewest, maxSkew);
            case InterPodAffinityFilter.PodAffinityNotMet(var key, var domain, var terms) ->
                    "near %s: %s"
                            .formatted(
                                    app(terms.getFirst()),
                                    domain.map(where -> "none in " + where).orElse("no " + key));
            case InterPodAffinityFilter.PodAntiAffinityViolated(var domain, var term, var pods) ->
                    "apart %s: %d in %s".formatted(app(term), pods, domain);
            case InterPodAffinityFilter.ExistingAntiAffinityViolated(var domain, var pods) ->
                    "%d keep away in %s".formatted(pods, domain);
            default -> "unexpected " + reason;
        };
    }

    private static String app(AffinityTerm term) {
        return String.valueOf(term.labelSelector().orElseThrow().matchLabels().get("app"));
    }
}
