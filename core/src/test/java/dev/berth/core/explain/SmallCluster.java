package dev.berth.core.explain;

import dev.berth.core.snapshot.ClusterContext;
import dev.berth.model.api.claim.DeviceClass;
import dev.berth.model.api.claim.ResourceClaim;
import dev.berth.model.api.meta.KubernetesObject;
import dev.berth.model.api.node.Node;
import dev.berth.model.api.pod.Pod;
import dev.berth.model.api.slice.ResourceSlice;
import dev.berth.model.codec.Codec;
import dev.berth.model.codec.UnknownFieldPolicy;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.ParseResult;
import dev.berth.model.json.YamlReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/// A random cluster of few nodes and pods with one pending pod that requests devices. Uses every
/// node filter, yet is small enough for brute force.
///
/// @param pending the pod to be scheduled
record SmallCluster(List<TestNode> testNodes, List<TestPod> testPods, TestPod pending) {

    /// A node.
    ///
    /// @param zone zone label; empty for none
    /// @param plugin number of GPUs of a device plugin
    /// @param devices number of GPUs in the ResourceSlice; the first `held` are allocated
    record TestNode(
            String name,
            String zone,
            boolean unschedulable,
            boolean tainted,
            int cpu,
            int plugin,
            int devices,
            int held) {

        Optional<String> label(String key) {
            return key.equals("host")
                    ? Optional.of(name)
                    : Optional.of(zone).filter(value -> !value.isEmpty());
        }
    }

    /// A pod.
    ///
    /// @param node node name; empty for the pending pod
    /// @param near required pod affinity
    /// @param apart required pod anti-affinity
    /// @param maxSkew maximum skew over zones; zero without a topology spread constraint
    record TestPod(
            String name,
            String node,
            String app,
            int cpu,
            int port,
            int gpus,
            String inZone,
            boolean tolerant,
            Optional<PodTerm> near,
            Optional<PodTerm> apart,
            int maxSkew) {}

    record PodTerm(String app, String key) {}

    static SmallCluster of(long seed) {
        var random = new Random(seed);
        var testNodes = new ArrayList<TestNode>();
        for (var i = 0; i < 2 + random.nextInt(4); i++) {
            var devices = random.nextInt(4);
            testNodes.add(
                    new TestNode(
                            "n" + i,
                            List.of("", "a", "a", "b").get(random.nextInt(4)),
                            random.nextInt(8) == 0,
                            random.nextInt(6) == 0,
                            2 + random.nextInt(5),
                            random.nextInt(5) == 0 ? 2 : 0,
                            devices,
                            devices == 0 ? 0 : random.nextInt(devices)));
        }
        var testPods = new ArrayList<TestPod>();
        for (var i = 0; i < random.nextInt(7); i++) {
            var node = testNodes.get(random.nextInt(testNodes.size())).name;
            testPods.add(testPod("g" + i, node, random));
        }
        return new SmallCluster(testNodes, testPods, testPod("pod", "", random));
    }

    private static TestPod testPod(String name, String node, Random random) {
        var isWanted = node.isEmpty();
        return new TestPod(
                name,
                node,
                random.nextBoolean() ? "web" : "db",
                random.nextInt(3),
                random.nextInt(3) == 0 ? 80 : 0,
                isWanted ? 1 + random.nextInt(2) : 0,
                isWanted && random.nextInt(4) == 0 ? "a" : "",
                random.nextInt(4) == 0,
                isWanted && random.nextInt(3) == 0
                        ? Optional.of(podTerm(random))
                        : Optional.empty(),
                random.nextInt(3) == 0 ? Optional.of(podTerm(random)) : Optional.empty(),
                isWanted && random.nextInt(2) == 0 ? 1 + random.nextInt(2) : 0);
    }

    private static PodTerm podTerm(Random random) {
        return new PodTerm(
                random.nextBoolean() ? "web" : "db", random.nextBoolean() ? "zone" : "host");
    }

    TestNode testNode(String name) {
        return testNodes.stream().filter(one -> one.name.equals(name)).findFirst().orElseThrow();
    }

    ClusterObjects objects() {
        var pods = new ArrayList<Pod>();
        testPods.forEach(testPod -> pods.add(read(Pod.class, pod(testPod))));
        pods.add(read(Pod.class, pod(pending)));
        var slices = new ArrayList<ResourceSlice>();
        var claims = new ArrayList<ResourceClaim>();
        for (var testNode : testNodes) {
            if (testNode.devices > 0) {
                slices.add(read(ResourceSlice.class, slice(testNode)));
            }
            for (var i = 0; i < testNode.held; i++) {
                claims.add(read(ResourceClaim.class, held(testNode, i)));
            }
        }
        return new ClusterObjects(
                testNodes.stream().map(testNode -> read(Node.class, node(testNode))).toList(),
                List.of(read(DeviceClass.class, GPUS)),
                slices,
                List.of(),
                claims,
                List.of(),
                pods,
                ClusterContext.UNKNOWN);
    }

    private static final String GPUS =
            """
            {apiVersion: resource.k8s.io/v1, kind: DeviceClass, metadata: {name: gpu},
             spec: {extendedResourceName: example.com/gpu}}
            """;

    private static <T extends KubernetesObject> T read(Class<T> kind, String yaml) {
        if (YamlReader.read(yaml) instanceof ParseResult.Documents(var documents)) {
            var tree = (JsonObject) documents.getFirst().root();
            return kind.cast(new Codec().readTree(tree, UnknownFieldPolicy.STRICT).orThrow());
        }
        throw new IllegalArgumentException(yaml);
    }

    private static String node(TestNode testNode) {
        return """
        {apiVersion: v1, kind: Node, metadata: {name: %1$s, labels: {host: %1$s%2$s}},
         spec: {unschedulable: %3$s%4$s},
         status: {allocatable: {cpu: %5$d, pods: 110, example.com/gpu: %6$d}}}
        """
                .formatted(
                        testNode.name,
                        testNode.zone.isEmpty() ? "" : ", zone: " + testNode.zone,
                        testNode.unschedulable,
                        testNode.tainted ? ", taints: [{key: kept, effect: NoSchedule}]" : "",
                        testNode.cpu,
                        testNode.plugin);
    }

    private static String slice(TestNode testNode) {
        var devices = new ArrayList<String>();
        for (var i = 0; i < testNode.devices; i++) {
            devices.add("{name: gpu-%d}".formatted(i));
        }
        return """
        {apiVersion: resource.k8s.io/v1, kind: ResourceSlice, metadata: {name: %1$s},
         spec: {driver: gpu.example.com, nodeName: %1$s,
           pool: {name: %1$s, generation: 1, resourceSliceCount: 1}, devices: %2$s}}
        """
                .formatted(testNode.name, devices);
    }

    private static String held(TestNode testNode, int number) {
        return """
        {apiVersion: resource.k8s.io/v1, kind: ResourceClaim,
         metadata: {name: %1$s-%2$d, namespace: default}, spec: {},
         status: {allocation: {devices: {results: [
           {request: r, driver: gpu.example.com, pool: %1$s, device: gpu-%2$d}]}}}}
        """
                .formatted(testNode.name, number);
    }

    private static String pod(TestPod testPod) {
        var spec = new ArrayList<String>();
        if (!testPod.node.isEmpty()) {
            spec.add("nodeName: " + testPod.node);
        }
        spec.add(
                "containers: [{name: main, ports: [%s], resources: {requests: {cpu: %d%s}}}]"
                        .formatted(
                                testPod.port == 0
                                        ? ""
                                        : "{containerPort: 80, hostPort: %d}"
                                                .formatted(testPod.port),
                                testPod.cpu,
                                testPod.gpus == 0 ? "" : ", example.com/gpu: " + testPod.gpus));
        if (!testPod.inZone.isEmpty()) {
            spec.add("nodeSelector: {zone: %s}".formatted(testPod.inZone));
        }
        if (testPod.tolerant) {
            spec.add("tolerations: [{operator: Exists}]");
        }
        var terms = new ArrayList<String>();
        testPod.near.ifPresent(near -> terms.add("podAffinity: " + term(near)));
        testPod.apart.ifPresent(apart -> terms.add("podAntiAffinity: " + term(apart)));
        spec.add("affinity: {%s}".formatted(String.join(", ", terms)));
        if (testPod.maxSkew > 0) {
            spec.add(
                    ("topologySpreadConstraints: [{topologyKey: zone, maxSkew: %d,"
                                    + " whenUnsatisfiable: DoNotSchedule,"
                                    + " labelSelector: {matchLabels: {app: %s}}}]")
                            .formatted(testPod.maxSkew, testPod.app));
        }
        return ("{apiVersion: v1, kind: Pod, metadata: {name: %s, namespace: default,"
                        + " labels: {app: %s}}, spec: {%s}}")
                .formatted(testPod.name, testPod.app, String.join(", ", spec));
    }

    private static String term(PodTerm podTerm) {
        return ("{requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: %s,"
                        + " labelSelector: {matchLabels: {app: %s}}}]}")
                .formatted(podTerm.key, podTerm.app);
    }
}
