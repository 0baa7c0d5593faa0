package dev.berth.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.Cluster;
import dev.berth.client.ForwardingCluster;
import dev.berth.client.Request;
import dev.berth.client.RequestResult;
import dev.berth.client.ResourcePath;
import dev.berth.core.admission.gate.FeatureGates;
import dev.berth.core.admission.gate.FeatureGates.Setting;
import dev.berth.model.codec.Kinds;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Eviction by DeviceTaintRules when requests fail.
class RuleEvictionTest {

    private static final ResourcePath RULES = ResourcePath.of(Kinds.DEVICE_TAINT_RULE);
    private static final String RULE =
            """
            apiVersion: resource.k8s.io/v1
            kind: DeviceTaintRule
            metadata: {name: r}
            spec:
              deviceSelector: {driver: d}
              taint: {key: broken, effect: NoExecute}
            """;

    @TempDir Path directory;

    @Test
    void podsAreEvictedAlthoughTheResponseToTheStatusUpdateWasLost() {
        try (var cluster =
                new ControlledCluster(directory, FeatureGates.all(), LostResponses::new)) {
            node(cluster);
            TaintedPods.running(cluster, "a", "[]");
            cluster.settle();
            cluster.create(RULES, "", RULE);

            cluster.until("a is evicted", () -> TaintedPods.isDeleting(cluster, "a"));
        }
    }

    /// The node of the pods: without it they would be deleted for another reason.
    private static void node(ControlledCluster cluster) {
        cluster.create(
                ControlledCluster.NODES,
                "",
                """
                apiVersion: v1
                kind: Node
                metadata: {name: node-1}
                """);
    }

    @Test
    void podThatToleratesForEverDoesNotBlockOthers() {
        try (var cluster = new ControlledCluster(directory, FeatureGates.all())) {
            var patient =
                    "[{operator: Exists, effect: NoExecute, tolerationSeconds: %d}]"
                            .formatted(Long.MAX_VALUE);
            node(cluster);
            TaintedPods.running(cluster, "a", patient);
            TaintedPods.running(cluster, "b", "[]");
            cluster.settle();
            cluster.create(RULES, "", RULE);

            cluster.until("b is evicted", () -> TaintedPods.isDeleting(cluster, "b"));
            cluster.settle();
            assertThat(TaintedPods.isDeleting(cluster, "a")).isFalse();
        }
    }

    @Test
    void publishedTaintsEvictWithoutTheRulesGate() {
        var gates = FeatureGates.all().with(List.of("DRADeviceTaintRules=false"));
        try (var cluster = new ControlledCluster(directory, ((Setting.Accepted) gates).gates())) {
            node(cluster);
            TaintedPods.running(cluster, "a", "[]");
            TaintedPods.running(cluster, "b", "[]");
            cluster.create(
                    ResourcePath.of(Kinds.RESOURCE_SLICE),
                    "",
                    """
                    apiVersion: resource.k8s.io/v1
                    kind: ResourceSlice
                    metadata: {name: s}
                    spec:
                      driver: d
                      pool: {name: p, generation: 1, resourceSliceCount: 1}
                      allNodes: true
                      devices: [{name: a, taints: [{key: broken, effect: NoExecute}]}]
                    """);

            cluster.until("a is evicted", () -> TaintedPods.isDeleting(cluster, "a"));
            assertThat(TaintedPods.isDeleting(cluster, "b")).isFalse();
        }
    }

    /// A cluster whose responses to status updates of rules are lost.
    private static final class LostResponses extends ForwardingCluster {

        private LostResponses(Cluster cluster) {
            super(cluster);
        }

        @Override
        public RequestResult send(Request request) {
            var outcome = super.send(request);
            return request.address().equals(RULES)
                    ? new RequestResult.Unavailable("response lost")
                    : outcome;
        }
    }
}
