package dev.berth.app.bench.scheduling;

import static dev.berth.app.bench.scheduling.YamlObjects.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.Cluster;
import dev.berth.client.Request;
import dev.berth.client.RequestResult;
import dev.berth.client.ResourcePath;
import dev.berth.control.ControlPlane;
import dev.berth.control.Controller;
import dev.berth.core.admission.gate.FeatureGates;
import dev.berth.core.lifecycle.NodeHealth;
import dev.berth.harness.Eventually;
import dev.berth.inprocess.EmbeddedCluster;
import dev.berth.model.api.meta.KubernetesObject;
import dev.berth.model.codec.Kind;
import dev.berth.model.json.JsonObject;
import dev.berth.server.ApiServer;
import dev.berth.server.ServerSettings;
import dev.berth.server.StoreChoice;
import dev.berth.server.access.User;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Heartbeats keep nodes without kubelets schedulable during a benchmark.
class HeartbeatsTest {

    private static final Duration OFTEN = Duration.ofMillis(50);

    /// Otherwise pods that need the devices of this node stay pending for ever.
    @Test
    void aNodeThatWasSetToUnknownLosesItsTaintAgain(@TempDir Path directory) throws Exception {
        var settings =
                ServerSettings.in(directory)
                        .withAddress("127.0.0.1", 0)
                        .withStore(new StoreChoice.Memory());
        var nodeLifecycle =
                ControlPlane.Options.defaults(FeatureGates.defaults())
                        .with(Set.of(Controller.NODES));
        try (var server = ApiServer.start(settings);
                var cluster = new EmbeddedCluster(server, User.of("test", User.MASTERS), "test");
                var controllers = new ControlPlane(cluster, Clock.systemUTC(), nodeLifecycle)) {
            controllers.start();
            var node =
                    JsonObject.of("metadata", json("{\"name\":\"node-1\"}"))
                            .with("status", ClusterSetup.nodeStatus());
            new BulkRequests(cluster).create(ClusterSetup.NODES, "", node);
            setUnknown(cluster, "node-1");
            await(cluster, "node-1", HeartbeatsTest::isTainted);

            try (var _ = Heartbeats.start(cluster, List.of("node-1"), OFTEN)) {
                await(cluster, "node-1", one -> !isTainted(one));
            }
        }
    }

    private static void setUnknown(Cluster cluster, String node) {
        var patch =
                json("{\"status\":{\"conditions\":[{\"type\":\"Ready\",\"status\":\"Unknown\"}]}}");
        var style = Request.PatchType.STRATEGIC;
        assertThat(
                        cluster.send(
                                new Request.Patch(
                                        ClusterSetup.NODES, "", node, "status", style, patch)))
                .isInstanceOf(RequestResult.Done.class);
    }

    private static boolean isTainted(JsonObject node) {
        return node.objectOrEmpty("spec").objects("taints").stream()
                .anyMatch(taint -> taint.text("key").equals(NodeHealth.UNREACHABLE));
    }

    private static void await(Cluster cluster, String node, Predicate<JsonObject> condition) {
        Eventually.holds(() ->
                cluster.send(new Request.Get(ClusterSetup.NODES, "", node))
                                instanceof RequestResult.Done(var found)
                        && condition.test(found));
    }

    @Test
    void aRenewalWithoutAnswerDoesNotDelayOtherNodes() throws InterruptedException {
        try (var cluster = new SilentFor("node-1");
                var _ = Heartbeats.start(cluster, List.of("node-1", "node-2"), OFTEN)) {
            assertThat(cluster.renewed.poll(30, TimeUnit.SECONDS)).isEqualTo("node-2");
            assertThat(cluster.renewed.poll(30, TimeUnit.SECONDS)).isEqualTo("node-2");
        }
    }

    /// A cluster that drops patches of one object.
    private static final class SilentFor implements Cluster {
        private final String silent;
        private final CountDownLatch closed = new CountDownLatch(1);
        private final LinkedBlockingQueue<String> renewed = new LinkedBlockingQueue<>();

        private SilentFor(String silent) {
            this.silent = silent;
        }

        @Override
        public RequestResult send(Request request) {
            if (request instanceof Request.Patch patch) {
                if (patch.name().equals(silent)) {
                    awaitClosed();
                }
                renewed.add(patch.name());
            }
            return new RequestResult.Done(JsonObject.EMPTY);
        }

        private void awaitClosed() {
            try {
                closed.await();
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            }
        }

        @Override
        public <T extends KubernetesObject> Subscription watch(
                Kind<T> kind, String selector, EventHandler<T> handler) {
            return () -> {};
        }

        @Override
        public Subscription watch(
                ResourcePath address, String selector, EventHandler<JsonObject> handler) {
            return () -> {};
        }

        @Override
        public void close() {
            closed.countDown();
        }
    }

    @Test
    void manyNodesAreRenewedBeforeTheirControllerMissesThem() {
        assertThat(List.of(1, 500, 5_000, 10_000, 100_000))
                .allSatisfy(nodes ->
                        assertThat(Heartbeats.period(nodes).plusSeconds(10))
                                .isLessThanOrEqualTo(NodeHealth.LEASE_TIMEOUT));
    }
}
