package dev.berth.core.place;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.snapshot.ClusterSnapshot;
import dev.berth.model.api.pod.Pod;
import dev.berth.model.codec.Codec;
import dev.berth.model.codec.UnknownFieldPolicy;
import dev.berth.model.json.YamlReader;
import java.util.Random;
import org.junit.jupiter.api.Test;

class DeviceResultCacheTest {

    private static final int CLUSTERS = 20;
    private static final int PODS = 30;

    /// Pods differ in CPU, so that the fit cache has many keys, and in one of two claims.
    @Test
    void resultsEqualThoseWithoutACache() {
        for (var policy : PlacementPolicy.all()) {
            for (var seed = 0; seed < CLUSTERS; seed++) {
                assertSameAsWithoutCache(
                        policy, new Random(seed), "seed %d, %s".formatted(seed, policy));
            }
        }
    }

    private static void assertSameAsWithoutCache(
            PlacementPolicy policy, Random random, String name) {
        var fixture = fixture(random).by(policy);
        var rules = fixture.rules();
        var cached = new FitCache(rules);
        var snapshot = fixture.snapshot();
        for (var i = 0; i < PODS; i++) {
            var request = fixture.request(pod(i, random), snapshot.usage());
            var fits = cached.evaluate(request, snapshot);
            assertThat(fits.perNode())
                    .as("%s, pod %d", name, i)
                    .isEqualTo(new FitCache(rules).evaluate(request, snapshot).perNode());
            var best = fits.best();
            if (best.isPresent()) {
                snapshot = snapshot.with(snapshot.usage().with(request.placement(best.get())));
            }
            snapshot = changed(snapshot, random);
        }
    }

    /// Sometimes a node leaves, so that its pools are no longer accessible.
    private static ClusterSnapshot changed(ClusterSnapshot snapshot, Random random) {
        return random.nextInt(20) == 0 ? snapshot.withoutNode("n" + random.nextInt(4)) : snapshot;
    }

    private static PlacementFixture fixture(Random random) {
        var fixture =
                PlacementFixture.of(
                        """
                        apiVersion: resource.k8s.io/v1
                        kind: DeviceClass
                        metadata: {name: gpu}
                        """,
                        template("whole", 2, "1000"),
                        template("share", 1, "300"));
        for (var node = 0; node < 4; node++) {
            var devices = new StringBuilder();
            for (var device = 0; device <= random.nextInt(4); device++) {
                devices.append(
                        ("{name: g%d, allowMultipleAllocations: true,"
                                        + " capacity: {milli: {value: 1000}}},")
                                .formatted(device));
            }
            fixture.add(
                    """
                    apiVersion: v1
                    kind: Node
                    metadata: {name: n%1$d}
                    status: {allocatable: {cpu: %2$d, memory: 64Gi, pods: 50}}
                    ---
                    apiVersion: resource.k8s.io/v1
                    kind: ResourceSlice
                    metadata: {name: n%1$d}
                    spec: {driver: gpu.example.com, nodeName: n%1$d, devices: [%3$s],
                      pool: {name: n%1$d, generation: 1, resourceSliceCount: 1}}
                    """
                            .formatted(node, 8 + random.nextInt(24), devices));
        }
        return fixture;
    }

    private static String template(String name, int count, String milli) {
        return """
        apiVersion: resource.k8s.io/v1
        kind: ResourceClaimTemplate
        metadata: {namespace: default, name: %s}
        spec: {spec: {devices: {requests: [{name: r, exactly: {deviceClassName: gpu,
          allocationMode: ExactCount, count: %d, capacity: {requests: {milli: %s}}}}]}}}
        """
                .formatted(name, count, milli);
    }

    private static Pod pod(int number, Random random) {
        var yaml =
                """
                {apiVersion: v1, kind: Pod, metadata: {namespace: default, name: p%d}, spec: {
                  containers: [{name: main, resources: {requests: {cpu: %d}}}],
                  resourceClaims: [{name: gpu, resourceClaimTemplateName: %s}]}}
                """
                        .formatted(
                                number,
                                1 + random.nextInt(4),
                                random.nextBoolean() ? "whole" : "share");
        return (Pod)
                new Codec()
                        .readTree(
                                YamlReader.read(yaml).object().orElseThrow(),
                                UnknownFieldPolicy.STRICT)
                        .orThrow();
    }
}
