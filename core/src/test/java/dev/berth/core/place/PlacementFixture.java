package dev.berth.core.place;

import dev.berth.core.allocate.Allocator;
import dev.berth.core.allocate.rule.AllocatorFeature;
import dev.berth.core.inventory.Pool;
import dev.berth.core.snapshot.ClusterContext;
import dev.berth.core.snapshot.ClusterInventory;
import dev.berth.core.snapshot.ClusterSnapshot;
import dev.berth.core.snapshot.ClusterUsage;
import dev.berth.core.snapshot.ClusterVolumes;
import dev.berth.core.snapshot.ExtendedResources;
import dev.berth.core.snapshot.NamespaceLabels;
import dev.berth.model.api.claim.DeviceClass;
import dev.berth.model.api.claim.ResourceClaim;
import dev.berth.model.api.claim.ResourceClaimTemplate;
import dev.berth.model.api.meta.KubernetesObject;
import dev.berth.model.api.node.Node;
import dev.berth.model.api.pod.Pod;
import dev.berth.model.api.slice.ResourceSlice;
import dev.berth.model.api.storage.PersistentVolume;
import dev.berth.model.api.storage.PersistentVolumeClaim;
import dev.berth.model.api.storage.StorageClass;
import dev.berth.model.codec.Codec;
import dev.berth.model.codec.UnknownFieldPolicy;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.ParseResult;
import dev.berth.model.json.YamlReader;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// A cluster in YAML, to place pods on.
final class PlacementFixture {

    private final List<KubernetesObject> objects = new ArrayList<>();
    private final Map<String, Map<String, String>> namespaces = new HashMap<>();
    private PlacementPolicy policy = PlacementPolicy.KUBERNETES;
    private boolean isLive;

    static PlacementFixture of(String... documents) {
        var cluster = new PlacementFixture();
        for (var document : documents) {
            cluster.add(document);
        }
        return cluster;
    }

    /// Adds nodes `n0`, `n1` and so on, one per zone.
    static PlacementFixture inZones(String... zones) {
        var cluster = new PlacementFixture();
        for (var i = 0; i < zones.length; i++) {
            cluster.add(
                    """
                    {apiVersion: v1, kind: Node, metadata: {name: n%d, labels: {
                      zone: %s, kubernetes.io/hostname: n%d}}}
                    """
                            .formatted(i, zones[i], i));
        }
        return cluster;
    }

    PlacementFixture add(String yaml) {
        if (!(YamlReader.read(yaml) instanceof ParseResult.Documents(var documents))) {
            throw new IllegalArgumentException(yaml);
        }
        for (var document : documents) {
            objects.add(
                    new Codec()
                            .readTree((JsonObject) document.root(), UnknownFieldPolicy.STRICT)
                            .orThrow());
        }
        return this;
    }

    /// A pod that exists in the cluster.
    PlacementFixture pod(String name, String node, String labels, String spec) {
        return add(
                """
                {apiVersion: v1, kind: Pod, metadata: {namespace: default, name: %s, labels: {%s}},
                 spec: {nodeName: %s, containers: [{name: main}]%s}}
                """
                        .formatted(name, labels, node, spec.isEmpty() ? "" : ", " + spec));
    }

    PlacementFixture namespace(String name, Map<String, String> labels) {
        namespaces.put(name, labels);
        return this;
    }

    PlacementFixture by(PlacementPolicy newPolicy) {
        policy = newPolicy;
        return this;
    }

    /// Marks the input as complete: an absent object does not exist.
    PlacementFixture live() {
        isLive = true;
        return this;
    }

    private <T> List<T> all(Class<T> kind) {
        return objects.stream().filter(kind::isInstance).map(kind::cast).toList();
    }

    PlacementRules rules() {
        return new PlacementRules(
                new Allocator(Allocator.DEFAULT_BUDGET),
                EnumSet.allOf(AllocatorFeature.class),
                policy,
                () -> "share");
    }

    ClusterSnapshot snapshot() {
        var inventory =
                ClusterInventory.of(
                        all(Node.class),
                        all(ResourceSlice.class),
                        all(DeviceClass.class),
                        new Pool.Rules(true, true));
        var storage =
                ClusterVolumes.of(
                        all(PersistentVolumeClaim.class),
                        all(PersistentVolume.class),
                        all(StorageClass.class),
                        isLive);
        var usage = ClusterUsage.of(all(Pod.class), all(ResourceClaim.class));
        return ClusterSnapshot.of(inventory, usage)
                .with(new ClusterContext(storage, NamespaceLabels.of(namespaces)));
    }

    ExtendedResources extended() {
        return snapshot().inventory().extended();
    }

    PodEvaluation evaluation(String pod) {
        var snapshot = snapshot();
        return rules().evaluation(request(pod(pod), snapshot.usage()), snapshot);
    }

    /// The result of each node.
    List<NodeFit> evaluate(String pod) {
        var evaluation = evaluation(pod);
        return snapshot().inventory().nodes().stream().map(evaluation::fit).toList();
    }

    PlacementRequest request(Pod pod, ClusterUsage state) {
        var templates =
                ClaimResolver.GeneratedClaims.Instantiated.from(all(ResourceClaimTemplate.class));
        var result = ClaimResolver.instantiating(state::claim, templates).resolve(pod);
        return ((PreFilterResult.Ready) result).request();
    }

    /// The rejection text of each node; `fits` when there is none.
    List<String> perNode(String pod) {
        return evaluate(pod).stream()
                .map(fit ->
                        switch (fit) {
                            case NodeFit.Fits _ -> "fits";
                            case NodeFit.Rejected(_, var reason) -> reason.text();
                        })
                .toList();
    }

    /// The nodes of pods placed in order; `-` for a pod that fits nowhere.
    List<String> places(String... pods) {
        var fitCache = new FitCache(rules());
        var snapshot = snapshot();
        var places = new ArrayList<String>();
        for (var i = 0; i < pods.length; i++) {
            var request = request(pod("p" + i, pods[i]), snapshot.usage());
            var nodeFits = fitCache.evaluate(request, snapshot);
            var chosen = nodeFits.best();
            places.add(chosen.map(NodeFit.Fits::node).orElse("-"));
            if (chosen.isPresent()) {
                snapshot = snapshot.with(snapshot.usage().with(request.placement(chosen.get())));
            }
        }
        return places;
    }

    /// The result of the first node.
    Optional<NodeFit.Fits> first(String pod) {
        return evaluate(pod).getFirst() instanceof NodeFit.Fits fits
                ? Optional.of(fits)
                : Optional.empty();
    }

    /// A pod with labels and a spec in YAML.
    static Pod pod(String text) {
        return pod("pod", text);
    }

    private static Pod pod(String name, String text) {
        var split = text.indexOf(';');
        var labels = split < 0 ? "" : text.substring(0, split);
        var spec = text.substring(split + 1).strip();
        var containers = spec.contains("containers:") ? "" : "containers: [{name: main}]";
        var yaml =
                """
                {apiVersion: v1, kind: Pod, metadata: {namespace: default, name: %s, labels: {%s}},
                 spec: {%s%s%s}}
                """
                        .formatted(
                                name,
                                labels,
                                containers,
                                spec.isEmpty() || containers.isEmpty() ? "" : ", ",
                                spec);
        if (!(YamlReader.read(yaml) instanceof ParseResult.Documents(var documents))) {
            throw new IllegalArgumentException(yaml);
        }
        return (Pod)
                new Codec()
                        .readTree(
                                (JsonObject) documents.getFirst().root(), UnknownFieldPolicy.STRICT)
                        .orThrow();
    }
}
