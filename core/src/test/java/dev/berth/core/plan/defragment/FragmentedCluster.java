package dev.berth.core.plan.defragment;

import dev.berth.core.disruption.DisruptionBudget;
import dev.berth.model.api.claim.DeviceClass;
import dev.berth.model.api.claim.ResourceClaim;
import dev.berth.model.api.meta.KubernetesObject;
import dev.berth.model.api.node.Node;
import dev.berth.model.api.pod.Pod;
import dev.berth.model.api.slice.ResourceSlice;
import dev.berth.model.codec.Codec;
import dev.berth.model.codec.UnknownFieldPolicy;
import dev.berth.model.json.YamlReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/// A random cluster of three to five nodes with four GPUs each. About half of the GPUs are in use:
/// by pods with and without controllers, of several priorities, with budgets, some with a shared
/// claim. The pending pods want two to four GPUs.
record FragmentedCluster(
        List<Node> nodes,
        List<ResourceSlice> slices,
        List<DeviceClass> classes,
        List<ResourceClaim> claims,
        List<Pod> pods,
        List<Pod> pending,
        List<DisruptionBudget> budgets) {

    private static final int GPUS = 4;
    private static final List<String> OWNERS =
            List.of("ReplicaSet", "ReplicaSet", "ReplicaSet", "StatefulSet", "DaemonSet", "");

    static FragmentedCluster of(int seed) {
        var random = new Random(seed);
        var cluster =
                new FragmentedCluster(
                        new ArrayList<>(),
                        new ArrayList<>(),
                        new ArrayList<>(),
                        new ArrayList<>(),
                        new ArrayList<>(),
                        new ArrayList<>(),
                        new ArrayList<>());
        cluster.classes.add(
                (DeviceClass)
                        read(
                                "{apiVersion: resource.k8s.io/v1, kind: DeviceClass, metadata:"
                                        + " {name: gpu}}"));
        for (var node = 0; node < 3 + random.nextInt(3); node++) {
            cluster.addNode("n" + node);
            for (var gpu = 0; gpu < GPUS; ) {
                var count = Math.min(1 + random.nextInt(2), GPUS - gpu);
                if (random.nextInt(10) < 6) {
                    cluster.addPod("n" + node, gpu, count, random);
                }
                gpu += count;
            }
        }
        for (var app = 0; app < 3; app++) {
            cluster.addBudget(app, random);
        }
        for (var i = 0; i <= random.nextInt(2); i++) {
            cluster.addPending("pending" + i, 2 + random.nextInt(3), random);
        }
        return cluster;
    }

    FragmentedCluster withOnePending() {
        return new FragmentedCluster(
                nodes, slices, classes, claims, pods, pending.subList(0, 1), budgets);
    }

    private void addNode(String name) {
        nodes.add(
                (Node)
                        read(
                                "{apiVersion: v1, kind: Node, metadata: {name: %s}, status:"
                                                .formatted(name)
                                        + " {allocatable: {cpu: 16, pods: 20}}}"));
        var devices = new StringBuilder();
        for (var gpu = 0; gpu < GPUS; gpu++) {
            devices.append("{name: g%d},".formatted(gpu));
        }
        slices.add(
                (ResourceSlice)
                        read(
                                """
                                {apiVersion: resource.k8s.io/v1, kind: ResourceSlice,
                                 metadata: {name: %1$s}, spec: {driver: gpu.example.com,
                                 nodeName: %1$s, devices: [%2$s],
                                 pool: {name: %1$s, generation: 1, resourceSliceCount: 1}}}
                                """
                                        .formatted(name, devices)));
    }

    private void addPod(String node, int gpu, int count, Random random) {
        var name = "%s-%d".formatted(node, gpu);
        var owner = OWNERS.get(random.nextInt(OWNERS.size()));
        var isShared = random.nextInt(8) == 0;
        addBoundPod(name, name, node, owner, random);
        var results = new StringBuilder();
        for (var i = 0; i < count; i++) {
            results.append(
                    "{request: r, driver: gpu.example.com, pool: %s, device: g%d},"
                            .formatted(node, gpu + i));
        }
        var users = "{resource: pods, name: %1$s, uid: %1$s}".formatted(name);
        if (isShared) {
            addBoundPod(name + "-b", name, node, "ReplicaSet", random);
            users += ", {resource: pods, name: %1$s-b, uid: %1$s-b}".formatted(name);
        }
        claims.add(
                (ResourceClaim)
                        read(
                                """
                                {apiVersion: resource.k8s.io/v1, kind: ResourceClaim,
                                 metadata: {namespace: default, name: %s},
                                 spec: {devices: {requests: [{name: r, exactly: {
                                  deviceClassName: gpu, allocationMode: ExactCount, count: %d}}]}},
                                 status: {allocation: {devices: {results: [%s]},
                                  nodeSelector: {nodeSelectorTerms: [{matchFields: [
                                   {key: metadata.name, operator: In, values: [%s]}]}]}},
                                  reservedFor: [%s]}}
                                """
                                        .formatted(name, count, results, node, users)));
    }

    private void addBoundPod(String name, String claim, String node, String owner, Random random) {
        var owners =
                owner.isEmpty()
                        ? ""
                        : "{apiVersion: apps/v1, kind: %1$s, name: o, uid: %1$s, controller: true}"
                                .formatted(owner);
        pods.add(
                (Pod)
                        read(
                                """
                                {apiVersion: v1, kind: Pod, metadata: {namespace: default,
                                 name: %1$s, uid: %1$s, labels: {app: a%2$d},
                                 ownerReferences: [%3$s]},
                                 spec: {nodeName: %4$s, priority: %5$d, containers: [{name: c,
                                  resources: {requests: {cpu: %6$d}}}],
                                  resourceClaims: [{name: g, resourceClaimName: %7$s}]}}
                                """
                                        .formatted(
                                                name,
                                                random.nextInt(6),
                                                owners,
                                                node,
                                                random.nextInt(4) == 0 ? 100 : 0,
                                                1 + random.nextInt(4),
                                                claim)));
    }

    private void addBudget(int app, Random random) {
        budgets.add(
                DisruptionBudget.of(
                        YamlReader.read(
                                        """
                                        {metadata: {namespace: default, name: b%1$d},
                                         spec: {maxUnavailable: %2$d,
                                          selector: {matchLabels: {app: a%1$d}}}}
                                        """
                                                .formatted(app, random.nextInt(2)))
                                .object()
                                .orElseThrow()));
    }

    private void addPending(String name, int count, Random random) {
        claims.add(
                (ResourceClaim)
                        read(
                                """
                                {apiVersion: resource.k8s.io/v1, kind: ResourceClaim,
                                 metadata: {namespace: default, name: %s},
                                 spec: {devices: {requests: [{name: r, exactly: {
                                  deviceClassName: gpu, allocationMode: ExactCount, count: %d}}]}}}
                                """
                                        .formatted(name, count)));
        pending.add(
                (Pod)
                        read(
                                """
                                {apiVersion: v1, kind: Pod, metadata: {namespace: default,
                                 name: %1$s, uid: %1$s}, spec: {priority: %2$d, containers: [{
                                  name: c, resources: {requests: {cpu: 2}}}],
                                  resourceClaims: [{name: g, resourceClaimName: %1$s}]}}
                                """
                                        .formatted(name, random.nextInt(3) == 0 ? 0 : 100)));
    }

    private static KubernetesObject read(String yaml) {
        return new Codec()
                .readTree(YamlReader.read(yaml).object().orElseThrow(), UnknownFieldPolicy.STRICT)
                .orThrow();
    }
}
