package dev.berth.core.place;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.snapshot.ClusterSnapshot;
import dev.berth.model.api.pod.Pod;
import dev.berth.model.codec.Codec;
import dev.berth.model.codec.Decoded;
import dev.berth.model.codec.Kinds;
import dev.berth.model.codec.UnknownFieldPolicy;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonNumber;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.ParseResult;
import dev.berth.model.json.YamlReader;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/// The cache key contains every field of a pod that node-scoped filters, device allocation, ranks
/// and scores read: pods that differ in one field have different keys, or equal results on every
/// node.
class CacheKeyTest {

    private static final int PODS = 60;

    private final PlacementFixture cluster =
            PlacementFixture.of(
                            """
                            {apiVersion: resource.k8s.io/v1, kind: DeviceClass,
                             metadata: {name: gpu}, spec: {extendedResourceName: example.com/gpu}}
                            """)
                    .by(PlacementPolicy.PACK);

    CacheKeyTest() {
        node("cordoned", "a", "unschedulable: true", 4);
        node("tainted", "a", "taints: [{key: kept, value: x, effect: NoSchedule}]", 4);
        node("small", "b", "", 1);
        node("large", "b", "", 16);
        node("other", "c", "", 8);
        cluster.add(
                """
                {apiVersion: v1, kind: Pod, metadata: {namespace: default, name: web},
                 spec: {nodeName: large, containers: [{name: c, resources: {requests: {cpu: 1}},
                   ports: [{containerPort: 80, hostPort: 80}]}]}}
                """);
    }

    private void node(String name, String zone, String spec, int cpu) {
        cluster.add(
                """
                {apiVersion: v1, kind: Node, metadata: {name: %s, labels: {zone: %s}},
                 spec: {%s}, status: {allocatable: {cpu: %d, memory: 8Gi, pods: 10,
                   vendor.example/card: 2}}}
                """
                        .formatted(name, zone, spec, cpu));
        cluster.add(
                """
                {apiVersion: resource.k8s.io/v1, kind: ResourceSlice, metadata: {name: %1$s},
                 spec: {driver: gpu.example.com, nodeName: %1$s, devices: %2$s,
                   pool: {name: %1$s, generation: 1, resourceSliceCount: 1}}}
                """
                        .formatted(name, cpu > 4 ? "[{name: a}, {name: b}]" : "[{name: a}]"));
    }

    @Test
    void podsThatDifferInOneFieldHaveDifferentKeysOrEqualResults() {
        var snapshot = cluster.snapshot();
        var decisive = new TreeSet<String>();
        for (var seed = 0; seed < PODS; seed++) {
            var tree = pod(new Random(seed));
            var original = probe(tree, snapshot).orElseThrow();
            for (var changed : variants(tree).entrySet()) {
                var variant = probe(changed.getValue(), snapshot);
                if (variant.isPresent() && !variant.get().fits.equals(original.fits)) {
                    decisive.add(changed.getKey());
                    assertThat(variant.get().key)
                            .as("seed %d, field %s", seed, changed.getKey())
                            .isNotEqualTo(original.key);
                }
            }
        }
        // The pods and the cluster are such that each of these fields changes a result.
        assertThat(decisive)
                .contains(
                        ".spec.nodeName",
                        ".spec.nodeSelector.zone",
                        ".spec.tolerations[0].key",
                        ".spec.containers[0].ports[0].hostPort",
                        ".spec.containers[0].resources.requests.cpu",
                        ".spec.containers[0].resources.requests.example.com/gpu",
                        ".spec.containers[0].resources.limits.vendor.example/card",
                        ".spec.initContainers[0].resources.requests.memory",
                        ".spec.overhead.cpu")
                .anyMatch(field -> field.startsWith(".spec.affinity.nodeAffinity"));
    }

    private record Probe(PlacementCacheKey key, List<NodeScopedFit> fits) {}

    private Optional<Probe> probe(JsonObject tree, ClusterSnapshot snapshot) {
        if (!(new Codec().readTree(Kinds.POD, tree, UnknownFieldPolicy.LENIENT)
                instanceof Decoded.Read<Pod> read)) {
            return Optional.empty();
        }
        var request = new PlacementRequest(read.object(), List.of(), List.of());
        var context = EvaluationContext.of(request, snapshot);
        var evaluation = new PodEvaluation(context, cluster.rules());
        var fits = new ArrayList<NodeScopedFit>();
        for (var node : snapshot.inventory().nodes()) {
            fits.add(evaluation.nodeScopedFit(node));
        }
        return Optional.of(new Probe(PlacementCacheKey.ofNodeScope(context), fits));
    }

    private static JsonObject pod(Random random) {
        var spec = new ArrayList<String>();
        spec.add(
                """
                containers: [{name: main, image: i, ports: [{containerPort: 1, hostPort: %d}],
                  resources: {requests: {cpu: %d, memory: 1Gi%s}, limits: {cpu: 9%s}}}]
                """
                        .formatted(
                                random.nextBoolean() ? 80 : 81,
                                1 + random.nextInt(4),
                                random.nextBoolean() ? ", example.com/gpu: 1" : "",
                                random.nextBoolean() ? ", vendor.example/card: 1" : ""));
        spec.add(
                "initContainers: [{name: init, resources: {requests: {cpu: 1, memory: %dGi}}}]"
                        .formatted(1 + random.nextInt(9)));
        spec.add("overhead: {cpu: %dm}".formatted(random.nextInt(900)));
        if (random.nextInt(4) == 0) {
            spec.add("nodeName: large");
        }
        if (random.nextInt(3) == 0) {
            spec.add("nodeSelector: {zone: b}");
        }
        if (random.nextBoolean()) {
            spec.add("tolerations: [{key: kept, operator: Equal, value: x, effect: NoSchedule}]");
        }
        spec.add(
                """
                affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {
                  nodeSelectorTerms: [{matchExpressions: [
                    {key: zone, operator: NotIn, values: [%s]}]}]}}}
                """
                        .formatted(random.nextBoolean() ? "c" : "d"));
        spec.add(
                """
                topologySpreadConstraints: [{topologyKey: zone, maxSkew: 1,
                  whenUnsatisfiable: DoNotSchedule, labelSelector: {matchLabels: {app: web}}}]
                """);
        var yaml =
                """
                {apiVersion: v1, kind: Pod, metadata: {namespace: default, name: p, uid: u,
                   labels: {app: web}}, spec: {priority: 7, schedulerName: berth, %s}}
                """
                        .formatted(String.join(", ", spec));
        if (YamlReader.read(yaml) instanceof ParseResult.Documents(var documents)) {
            return (JsonObject) documents.getFirst().root();
        }
        throw new IllegalArgumentException(yaml);
    }

    /// The tree with one leaf changed or one member removed, by field.
    private static Map<String, JsonObject> variants(JsonObject tree) {
        var variants = new LinkedHashMap<String, JsonObject>();
        collect("", tree, changed -> changed, variants);
        return variants;
    }

    private static void collect(
            String path, Json value, UnaryOperator<Json> whole, Map<String, JsonObject> variants) {
        switch (value) {
            case JsonObject object -> {
                for (var member : object.members().entrySet()) {
                    var name = member.getKey();
                    UnaryOperator<Json> inside = changed -> whole.apply(object.with(name, changed));
                    collect(path + "." + name, member.getValue(), inside, variants);
                    variants.put(
                            path + "." + name + " removed",
                            (JsonObject) whole.apply(object.without(name)));
                }
            }
            case Json.JsonArray array -> {
                for (var i = 0; i < array.items().size(); i++) {
                    var index = i;
                    UnaryOperator<Json> inside =
                            changed -> {
                                var values = new ArrayList<>(array.items());
                                values.set(index, changed);
                                return whole.apply(new Json.JsonArray(values));
                            };
                    collect(path + "[" + i + "]", array.items().get(i), inside, variants);
                }
            }
            case Json.JsonString text ->
                    variants.put(path, (JsonObject) whole.apply(Json.of(changed(text.value()))));
            case JsonNumber _ -> variants.put(path, (JsonObject) whole.apply(Json.of(5)));
            case Json _ -> {}
        }
    }

    private static String changed(String text) {
        return switch (text) {
            case "b" -> "a";
            case "c", "d" -> "b";
            case "large" -> "other";
            case String amount when amount.endsWith("Gi") -> "99Gi";
            case String amount when amount.matches("[0-9]+m") -> "14";
            case String other -> other + "x";
        };
    }
}
