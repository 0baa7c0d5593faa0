package dev.berth.testkit.explain;

import dev.berth.core.explain.ClusterObjects;
import dev.berth.core.place.ClusterContext;
import dev.berth.model.api.DeviceClass;
import dev.berth.model.api.KubernetesObject;
import dev.berth.model.api.Node;
import dev.berth.model.api.Pod;
import dev.berth.model.api.ResourceClaim;
import dev.berth.model.api.ResourceSlice;
import dev.berth.model.codec.Codec;
import dev.berth.model.codec.UnknownFieldPolicy;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.ParseResult;
import dev.berth.model.json.YamlReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/// A few nodes with pods on them, and a pod that wants a place and devices: simple enough to count
/// by hand, and with every rule that may take nodes from the pod.
///
/// @param wanted the pod that is asked about
record SmallWorld(List<Place> places, List<Guest> guests, Guest wanted) {

    /// A node.
    ///
    /// @param zone empty when it is in none
    /// @param plugin how many GPUs a device plugin offers there
    /// @param devices how many GPUs a slice has there, of which the first are held
    record Place(
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
    /// @param node empty for the one that wants a place
    /// @param near an app that must be near, by a label of nodes
    /// @param apart an app that must not be
    /// @param maxSkew of the pods of its app over zones; zero when they need not be spread
    record Guest(
            String name,
            String node,
            String app,
            int cpu,
            int port,
            int gpus,
            String inZone,
            boolean tolerant,
            Optional<Neighbour> near,
            Optional<Neighbour> apart,
            int maxSkew) {}

    record Neighbour(String app, String key) {}

    static SmallWorld of(long seed) {
        var random = new Random(seed);
        var places = new ArrayList<Place>();
        for (var i = 0; i < 2 + random.nextInt(4); i++) {
            var devices = random.nextInt(4);
            places.add(
                    new Place(
                            "n" + i,
                            List.of("", "a", "a", "b").get(random.nextInt(4)),
                            random.nextInt(8) == 0,
                            random.nextInt(6) == 0,
                            2 + random.nextInt(5),
                            random.nextInt(5) == 0 ? 2 : 0,
                            devices,
                            devices == 0 ? 0 : random.nextInt(devices)));
        }
        var guests = new ArrayList<Guest>();
        for (var i = 0; i < random.nextInt(7); i++) {
            var node = places.get(random.nextInt(places.size())).name;
            guests.add(guest("g" + i, node, random));
        }
        return new SmallWorld(places, guests, guest("pod", "", random));
    }

    private static Guest guest(String name, String node, Random random) {
        var isWanted = node.isEmpty();
        return new Guest(
                name,
                node,
                random.nextBoolean() ? "web" : "db",
                random.nextInt(3),
                random.nextInt(3) == 0 ? 80 : 0,
                isWanted ? 1 + random.nextInt(2) : 0,
                isWanted && random.nextInt(4) == 0 ? "a" : "",
                random.nextInt(4) == 0,
                isWanted && random.nextInt(3) == 0
                        ? Optional.of(neighbour(random))
                        : Optional.empty(),
                random.nextInt(3) == 0 ? Optional.of(neighbour(random)) : Optional.empty(),
                isWanted && random.nextInt(2) == 0 ? 1 + random.nextInt(2) : 0);
    }

    private static Neighbour neighbour(Random random) {
        return new Neighbour(
                random.nextBoolean() ? "web" : "db", random.nextBoolean() ? "zone" : "host");
    }

    Place place(String name) {
        return places.stream().filter(one -> one.name.equals(name)).findFirst().orElseThrow();
    }

    ClusterObjects objects() {
        var pods = new ArrayList<Pod>();
        guests.forEach(guest -> pods.add(read(Pod.class, pod(guest))));
        pods.add(read(Pod.class, pod(wanted)));
        var slices = new ArrayList<ResourceSlice>();
        var claims = new ArrayList<ResourceClaim>();
        for (var place : places) {
            if (place.devices > 0) {
                slices.add(read(ResourceSlice.class, slice(place)));
            }
            for (var i = 0; i < place.held; i++) {
                claims.add(read(ResourceClaim.class, held(place, i)));
            }
        }
        return new ClusterObjects(
                places.stream().map(place -> read(Node.class, node(place))).toList(),
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

    private static String node(Place place) {
        return """
        {apiVersion: v1, kind: Node, metadata: {name: %1$s, labels: {host: %1$s%2$s}},
         spec: {unschedulable: %3$s%4$s},
         status: {allocatable: {cpu: %5$d, pods: 110, example.com/gpu: %6$d}}}
        """
                .formatted(
                        place.name,
                        place.zone.isEmpty() ? "" : ", zone: " + place.zone,
                        place.unschedulable,
                        place.tainted ? ", taints: [{key: kept, effect: NoSchedule}]" : "",
                        place.cpu,
                        place.plugin);
    }

    private static String slice(Place place) {
        var devices = new ArrayList<String>();
        for (var i = 0; i < place.devices; i++) {
            devices.add("{name: gpu-%d}".formatted(i));
        }
        return """
        {apiVersion: resource.k8s.io/v1, kind: ResourceSlice, metadata: {name: %1$s},
         spec: {driver: gpu.example.com, nodeName: %1$s,
           pool: {name: %1$s, generation: 1, resourceSliceCount: 1}, devices: %2$s}}
        """
                .formatted(place.name, devices);
    }

    private static String held(Place place, int number) {
        return """
        {apiVersion: resource.k8s.io/v1, kind: ResourceClaim,
         metadata: {name: %1$s-%2$d, namespace: default}, spec: {},
         status: {allocation: {devices: {results: [
           {request: r, driver: gpu.example.com, pool: %1$s, device: gpu-%2$d}]}}}}
        """
                .formatted(place.name, number);
    }

    private static String pod(Guest guest) {
        var spec = new ArrayList<String>();
        if (!guest.node.isEmpty()) {
            spec.add("nodeName: " + guest.node);
        }
        spec.add(
                "containers: [{name: main, ports: [%s], resources: {requests: {cpu: %d%s}}}]"
                        .formatted(
                                guest.port == 0
                                        ? ""
                                        : "{containerPort: 80, hostPort: %d}".formatted(guest.port),
                                guest.cpu,
                                guest.gpus == 0 ? "" : ", example.com/gpu: " + guest.gpus));
        if (!guest.inZone.isEmpty()) {
            spec.add("nodeSelector: {zone: %s}".formatted(guest.inZone));
        }
        if (guest.tolerant) {
            spec.add("tolerations: [{operator: Exists}]");
        }
        var terms = new ArrayList<String>();
        guest.near.ifPresent(near -> terms.add("podAffinity: " + term(near)));
        guest.apart.ifPresent(apart -> terms.add("podAntiAffinity: " + term(apart)));
        spec.add("affinity: {%s}".formatted(String.join(", ", terms)));
        if (guest.maxSkew > 0) {
            spec.add(
                    ("topologySpreadConstraints: [{topologyKey: zone, maxSkew: %d,"
                                    + " whenUnsatisfiable: DoNotSchedule,"
                                    + " labelSelector: {matchLabels: {app: %s}}}]")
                            .formatted(guest.maxSkew, guest.app));
        }
        return ("{apiVersion: v1, kind: Pod, metadata: {name: %s, namespace: default,"
                        + " labels: {app: %s}}, spec: {%s}}")
                .formatted(guest.name, guest.app, String.join(", ", spec));
    }

    private static String term(Neighbour neighbour) {
        return ("{requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: %s,"
                        + " labelSelector: {matchLabels: {app: %s}}}]}")
                .formatted(neighbour.key, neighbour.app);
    }
}
