package dev.berth.core.schedule;

import dev.berth.core.persistent.PersistentSortedMap;
import dev.berth.core.place.NodeFit;
import dev.berth.core.place.PlacementRequest;
import dev.berth.core.snapshot.ClusterVolumes;
import dev.berth.core.snapshot.ExtendedResourceClaim;
import dev.berth.core.snapshot.ExtendedResourceClaims;
import dev.berth.model.api.claim.AllocationResult;
import dev.berth.model.api.claim.ConsumerReference;
import dev.berth.model.api.claim.ResourceClaim;
import dev.berth.model.api.meta.KubernetesObject;
import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.api.node.Node;
import dev.berth.model.api.pod.Pod;
import dev.berth.model.api.slice.ResourceSlice;
import dev.berth.model.api.storage.PersistentVolume;
import dev.berth.model.api.storage.PersistentVolumeClaim;
import dev.berth.model.codec.Codec;
import dev.berth.model.codec.UnknownFieldPolicy;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.ParseResult;
import dev.berth.model.json.YamlReader;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// A pod that is bound to node `n1`, and the facts on which its binding depends.
final class BindingFixture {

    static final Instant START = Instant.parse("2030-01-01T00:00:00Z");
    static final Duration CONDITIONS_TIMEOUT = Duration.ofMinutes(10);

    /// The binding of a pod with claim `gpu`, which gets device `gpu-0`.
    static final String ALLOCATION =
            """
            allocation: {devices: {results: [
              {request: r, driver: d, pool: p, device: gpu-0 %s}]}}
            """;

    static final String RESERVATION = "reservedFor: [{resource: pods, name: pod, uid: pod-1}]";

    final Map<ObjectRef, ResourceClaim> watched = new HashMap<>();
    final Map<ObjectRef, ResourceClaim> newer = new HashMap<>();
    final Map<ObjectRef, BindingWrites.Write> unseen = new HashMap<>();
    final Set<ObjectRef> beingWritten = new HashSet<>();
    final List<BindingFacts.ForeignAllocation> foreign = new ArrayList<>();
    ClusterVolumes volumes = ClusterVolumes.UNKNOWN.complete(true);
    PersistentSortedMap<String, ResourceSlice> slices = PersistentSortedMap.of();
    Optional<Node> node = Optional.empty();
    Instant now = START;
    private final BindingRules rules = new BindingRules(true, CONDITIONS_TIMEOUT);

    static <T extends KubernetesObject> T read(Class<T> type, String yaml) {
        if (!(YamlReader.read(yaml) instanceof ParseResult.Documents(var documents))) {
            throw new IllegalArgumentException(yaml);
        }
        var tree = (JsonObject) documents.getFirst().root();
        return type.cast(new Codec().readTree(tree, UnknownFieldPolicy.STRICT).orThrow());
    }

    static Pod pod() {
        return read(
                Pod.class,
                """
                {apiVersion: v1, kind: Pod, metadata: {namespace: ns, name: pod, uid: pod-1},
                 spec: {containers: [{name: c}],
                   volumes: [{name: v, persistentVolumeClaim: {claimName: data}}]}}
                """);
    }

    /// A claim of the pod in a version and with a status.
    static ResourceClaim claim(String name, long version, String... status) {
        return read(
                ResourceClaim.class,
                """
                {apiVersion: resource.k8s.io/v1, kind: ResourceClaim,
                 metadata: {namespace: ns, name: %s, uid: %s-1, resourceVersion: "%d"},
                 spec: {devices: {}},
                 status: {%s}}
                """
                        .formatted(name, name, version, String.join(", ", status)));
    }

    static String allocation(String device) {
        return ALLOCATION.formatted("").replace("gpu-0", device);
    }

    /// The allocation of a device with a binding condition and a binding failure condition.
    static String attachedAllocation() {
        return ALLOCATION.formatted(", bindingConditions: [Up], bindingFailureConditions: [Down]");
    }

    static String condition(String type) {
        return """
        devices: [{driver: d, pool: p, device: gpu-0, conditions: [
          {type: %s, status: "True", reason: Because, message: told,
           lastTransitionTime: "2030-01-01T00:00:00Z"}]}]
        """
                .formatted(type);
    }

    static ResourceClaim unallocated() {
        return claim("gpu", 1);
    }

    /// The claim as written by the binding, in version 5.
    static ResourceClaim written() {
        return claim("gpu", 5, allocation("gpu-0"), RESERVATION);
    }

    static ResourceClaim attached(String... conditions) {
        var status = new ArrayList<>(List.of(attachedAllocation(), RESERVATION));
        status.addAll(List.of(conditions));
        return claim("gpu", 5, status.toArray(String[]::new));
    }

    static PersistentVolumeClaim volumeClaim(String annotations, String spec) {
        return read(
                PersistentVolumeClaim.class,
                """
                {apiVersion: v1, kind: PersistentVolumeClaim,
                 metadata: {namespace: ns, name: data, uid: data-1, resourceVersion: "7",
                   annotations: {%s}},
                 spec: {accessModes: [ReadWriteOnce], %s}}
                """
                        .formatted(annotations, spec));
    }

    static PersistentVolumeClaim boundVolumeClaim() {
        return volumeClaim("pv.kubernetes.io/bind-completed: \"yes\"", "volumeName: disk");
    }

    static PersistentVolume volume() {
        return read(
                PersistentVolume.class,
                """
                {apiVersion: v1, kind: PersistentVolume,
                 metadata: {name: disk, resourceVersion: "8"},
                 spec: {capacity: {storage: 1Gi}, accessModes: [ReadWriteOnce]}}
                """);
    }

    static Node node() {
        return read(Node.class, "{apiVersion: v1, kind: Node, metadata: {name: n1}}");
    }

    static BindingWrites.Write write(ResourceClaim claim) {
        return new BindingWrites.Write(
                claim.ref(),
                claim.metadata().uid(),
                BindingWrites.version(claim.metadata().resourceVersion()),
                JsonObject.EMPTY);
    }

    static BindingWrites writes() {
        return BindingWrites.of(List.of(write(written())));
    }

    /// A binding that allocates claim `gpu`.
    static BindingCycle allocating(BindingStage stage) {
        return cycle(
                new PlacementRequest(pod(), List.of(), List.of(unallocated())),
                List.of(new NodeFit.ClaimAllocation(unallocated(), result(written()))),
                Optional.empty(),
                stage);
    }

    /// A binding of a pod that shares the allocated claim `gpu`.
    static BindingCycle sharing(Map<ObjectRef, ConsumerReference> groups, BindingStage stage) {
        var claim = claim("gpu", 2, allocation("gpu-0"));
        return cycle(
                new PlacementRequest(pod(), List.of(claim), List.of(), groups),
                List.of(),
                Optional.empty(),
                stage);
    }

    /// A binding that creates a claim for extended resources.
    static BindingCycle extending(BindingStage stage) {
        var placeholder = ExtendedResourceClaims.inMemory(pod(), unallocated().spec());
        return cycle(
                new PlacementRequest(pod(), List.of(), List.of(placeholder)),
                List.of(new NodeFit.ClaimAllocation(placeholder, result(written()))),
                Optional.of(new ExtendedResourceClaim(placeholder, List.of())),
                stage);
    }

    private static AllocationResult result(ResourceClaim claim) {
        return claim.status().allocation().orElseThrow();
    }

    private static BindingCycle cycle(
            PlacementRequest request,
            List<NodeFit.ClaimAllocation> allocations,
            Optional<ExtendedResourceClaim> extended,
            BindingStage stage) {
        var fits = new NodeFit.Fits("n1", allocations, Map.of(), List.of(), extended);
        return new BindingCycle(1, pod(), new SchedulingDecision.Placed(request, fits), 0, stage);
    }

    void watch(ResourceClaim claim) {
        watched.put(claim.ref(), claim);
    }

    BindingFacts facts() {
        return new BindingFacts(
                now,
                new BindingFacts.Claims(
                        ref -> Optional.ofNullable(watched.get(ref)),
                        ref -> Optional.ofNullable(newer.getOrDefault(ref, watched.get(ref))),
                        ref -> Optional.ofNullable(unseen.get(ref)),
                        beingWritten::contains),
                foreign,
                volumes,
                name -> node.filter(one -> one.name().equals(name)),
                slices);
    }

    BindingStep next(BindingCycle cycle, BindingEvent event) {
        return rules.next(cycle, event, facts());
    }
}
