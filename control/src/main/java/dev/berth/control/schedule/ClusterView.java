package dev.berth.control.schedule;

import dev.berth.core.persistent.PersistentSortedMap;
import dev.berth.core.schedule.BindingFacts.ForeignAllocation;
import dev.berth.core.schedule.BindingWrites;
import dev.berth.core.schedule.ClusterEvent;
import dev.berth.core.schedule.ExtendedResourceClaims;
import dev.berth.core.snapshot.ClusterSnapshot;
import dev.berth.model.api.Device;
import dev.berth.model.api.DeviceClass;
import dev.berth.model.api.DeviceTaintRule;
import dev.berth.model.api.KubernetesObject;
import dev.berth.model.api.Node;
import dev.berth.model.api.ObjectRef;
import dev.berth.model.api.Pod;
import dev.berth.model.api.PodGroup;
import dev.berth.model.api.PodPhase;
import dev.berth.model.api.ResourceClaim;
import dev.berth.model.api.ResourceSlice;
import dev.berth.model.api.Uid;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/// The cluster as shown by the watches, as a snapshot. Belongs to the scheduler's thread.
final class ClusterView {

    /// Receives events that may help unschedulable pods.
    interface Listener {

        void onClusterEvent(ClusterEvent event);

        void pod(Pod pod);

        void podDeleted(Pod pod);

        void claim(ResourceClaim claim, Optional<ResourceClaim> before);

        void claimDeleted(ResourceClaim claim);

        void group(PodGroup group);

        /// True when the devices of a claim may conflict with those of a pod in the binding
        /// pipeline.
        boolean mayConflict(ResourceClaim claim);
    }

    private final Listener listener;
    private final boolean nodeAllocatableEnabled;
    private final Map<ObjectRef, Pod> pods = new HashMap<>();
    private final Map<ObjectRef, ResourceClaim> claims = new HashMap<>();
    private final Map<Uid, ResourceClaim> extended = new HashMap<>();
    private final List<ForeignAllocation> foreignAllocations = new ArrayList<>();
    private PersistentSortedMap<String, ResourceSlice> slices = PersistentSortedMap.of();
    private PersistentSortedMap<String, DeviceTaintRule> taintRules = PersistentSortedMap.of();
    private ClusterSnapshot snapshot;
    private long sequence;
    private boolean isListing;

    /// An empty view.
    ///
    /// @param nodeAllocatableEnabled whether devices may consume node-allocatable resources
    ClusterView(ClusterSnapshot empty, boolean nodeAllocatableEnabled, Listener listener) {
        this.snapshot = empty;
        this.nodeAllocatableEnabled = nodeAllocatableEnabled;
        this.listener = listener;
    }

    ClusterSnapshot snapshot() {
        return snapshot;
    }

    void assume(UnaryOperator<ClusterSnapshot> change) {
        snapshot = change.apply(snapshot);
    }

    PersistentSortedMap<String, ResourceSlice> slices() {
        return slices;
    }

    PersistentSortedMap<String, DeviceTaintRule> taintRules() {
        return taintRules;
    }

    Optional<Pod> pod(ObjectRef ref) {
        return Optional.ofNullable(pods.get(ref));
    }

    /// A claim as last watched, without assumptions.
    Optional<ResourceClaim> claim(ObjectRef ref) {
        return Optional.ofNullable(claims.get(ref));
    }

    Optional<PodGroup> group(ObjectRef ref) {
        return snapshot.context().groups().find(ref);
    }

    /// The stored special claim for a pod's extended resources.
    Optional<ResourceClaim> extendedClaimOf(Pod pod) {
        return Optional.ofNullable(extended.get(pod.metadata().uid()));
    }

    /// The number of allocations of other schedulers seen so far.
    long sequence() {
        return sequence;
    }

    /// The allocations of other schedulers seen since, except dropped ones.
    List<ForeignAllocation> foreignAllocationsSince(long before) {
        return foreignAllocations.isEmpty()
                ? List.of()
                : foreignAllocations.stream()
                        .filter(foreign -> foreign.sequence() > before)
                        .toList();
    }

    /// Drops allocations that no running binding needs.
    void dropForeignAllocationsUntil(long last) {
        foreignAllocations.removeIf(foreign -> foreign.sequence() <= last);
    }

    static long version(KubernetesObject object) {
        return BindingWrites.version(object.metadata().resourceVersion());
    }

    void put(Pod pod) {
        var before = Optional.ofNullable(pods.put(pod.ref(), pod));
        snapshot = snapshot.with(pod);
        var usedResources = before.filter(ClusterView::usesResources).isPresent();
        if (usedResources != usesResources(pod)) {
            listener.onClusterEvent(
                    usedResources ? ClusterEvent.RESOURCES_FREED : ClusterEvent.POD_PLACED);
        } else if (usedResources && !before.get().spec().equals(pod.spec())) {
            // The pod may request less than before.
            listener.onClusterEvent(ClusterEvent.RESOURCES_FREED);
        } else if (usedResources
                && !before.get().metadata().labels().equals(pod.metadata().labels())) {
            listener.onClusterEvent(ClusterEvent.POD_PLACED);
        }
        listener.pod(pod);
    }

    static boolean usesResources(Pod pod) {
        var phase = pod.status().phase();
        return !pod.spec().nodeName().isEmpty()
                && phase != PodPhase.Known.SUCCEEDED
                && phase != PodPhase.Known.FAILED;
    }

    void remove(Pod pod) {
        pods.remove(pod.ref());
        snapshot = snapshot.withoutPod(pod.ref());
        if (usesResources(pod)) {
            listener.onClusterEvent(ClusterEvent.RESOURCES_FREED);
        }
        listener.podDeleted(pod);
    }

    void replacePods(Iterable<Pod> all) {
        var gone = new HashMap<>(pods);
        for (var pod : all) {
            gone.remove(pod.ref());
            put(pod);
        }
        gone.values().forEach(this::remove);
    }

    void put(ResourceClaim claim) {
        var before = Optional.ofNullable(claims.put(claim.ref(), claim));
        snapshot = snapshot.with(claim);
        ExtendedResourceClaims.podOf(claim).ifPresent(pod -> extended.put(pod, claim));
        var hadDevices = before.filter(ClusterView::hasDevices).isPresent();
        if (hasDevices(claim) && !hadDevices) {
            // The stored claim now holds the devices assumed under the placeholder name.
            ExtendedResourceClaims.inMemoryOf(claim)
                    .ifPresent(ref -> snapshot = snapshot.forgetClaim(ref));
            addForeignAllocation(claim);
        }
        if (hadDevices && !hasDevices(claim)) {
            listener.onClusterEvent(ClusterEvent.DEVICES_FREED);
        }
        listener.claim(claim, before);
    }

    private void addForeignAllocation(ResourceClaim claim) {
        if (listener.mayConflict(claim)) {
            var devices = claim.status().allocation().orElseThrow().devices();
            foreignAllocations.add(
                    new ForeignAllocation(
                            ++sequence, claim.ref(), version(claim), !isListing, devices));
        }
    }

    private static boolean hasDevices(ResourceClaim claim) {
        return claim.status().allocation().isPresent();
    }

    void remove(ResourceClaim claim) {
        claims.remove(claim.ref());
        snapshot = snapshot.withoutClaim(claim.ref());
        ExtendedResourceClaims.podOf(claim).ifPresent(pod -> extended.remove(pod, claim));
        if (hasDevices(claim)) {
            listener.onClusterEvent(ClusterEvent.DEVICES_FREED);
        }
        listener.claimDeleted(claim);
    }

    void replaceClaims(Iterable<ResourceClaim> all) {
        var gone = new HashMap<>(claims);
        isListing = true;
        for (var claim : all) {
            gone.remove(claim.ref());
            put(claim);
        }
        isListing = false;
        gone.values().forEach(this::remove);
    }

    void put(PodGroup group) {
        snapshot = snapshot.with(snapshot.context().with(group));
        listener.group(group);
    }

    void remove(PodGroup group) {
        snapshot = snapshot.with(snapshot.context().withoutGroup(group.ref()));
    }

    void replaceGroups(Iterable<PodGroup> all) {
        var gone = new HashMap<ObjectRef, PodGroup>();
        snapshot.context().groups().forEach(gone::put);
        for (var group : all) {
            gone.remove(group.ref());
            put(group);
        }
        gone.values().forEach(this::remove);
    }

    void put(Node node) {
        // Nodes update their status every few seconds, mostly without relevant changes.
        if (snapshot.inventory()
                .node(node.name())
                .filter(old -> isEquivalent(old, node))
                .isEmpty()) {
            snapshot = snapshot.with(node);
            listener.onClusterEvent(ClusterEvent.NODE);
        }
    }

    private static boolean isEquivalent(Node old, Node node) {
        return old.metadata().uid().equals(node.metadata().uid())
                && old.labels().equals(node.labels())
                && old.spec().equals(node.spec())
                && old.status().allocatable().equals(node.status().allocatable())
                && old.status().capacity().equals(node.status().capacity())
                && old.status().declaredFeatures().equals(node.status().declaredFeatures());
    }

    void remove(Node node) {
        snapshot = snapshot.withoutNode(node.name());
        listener.onClusterEvent(ClusterEvent.NODE);
    }

    void replaceNodes(Iterable<Node> all) {
        var gone = new HashMap<String, Node>();
        snapshot.inventory().nodes().forEach(node -> gone.put(node.name(), node));
        for (var node : all) {
            gone.remove(node.name());
            put(node);
        }
        gone.values().forEach(this::remove);
    }

    void put(ResourceSlice published) {
        var slice = filtered(published);
        slices = slices.with(slice.metadata().name(), slice);
        snapshot = snapshot.with(slice);
        listener.onClusterEvent(ClusterEvent.DEVICES_OFFERED);
    }

    /// The slice without node-allocatable resources if the feature is disabled.
    private ResourceSlice filtered(ResourceSlice slice) {
        if (nodeAllocatableEnabled
                || slice.spec().devices().stream()
                        .allMatch(device -> device.nodeAllocatableResources().isEmpty())) {
            return slice;
        }
        var devices =
                slice.spec().devices().stream()
                        .map(Device::withoutNodeAllocatableResources)
                        .toList();
        return new ResourceSlice(slice.metadata(), slice.spec().withDevices(devices));
    }

    void remove(ResourceSlice slice) {
        slices = slices.without(slice.metadata().name());
        snapshot = snapshot.withoutSlice(slice.metadata().name());
    }

    void replaceSlices(Iterable<ResourceSlice> all) {
        var gone = new HashMap<String, ResourceSlice>();
        slices.forEach(gone::put);
        var now = new ArrayList<ResourceSlice>();
        for (var published : all) {
            var slice = filtered(published);
            gone.remove(slice.metadata().name());
            slices = slices.with(slice.metadata().name(), slice);
            now.add(slice);
        }
        gone.values().forEach(this::remove);
        snapshot = snapshot.with(now);
        listener.onClusterEvent(ClusterEvent.DEVICES_OFFERED);
    }

    void put(DeviceClass deviceClass) {
        var before = snapshot.inventory().classes().get(deviceClass.metadata().name());
        if (before == null || !before.spec().equals(deviceClass.spec())) {
            snapshot = snapshot.with(deviceClass);
            listener.onClusterEvent(ClusterEvent.DEVICES_OFFERED);
        }
    }

    void remove(DeviceClass deviceClass) {
        snapshot = snapshot.withoutClass(deviceClass.metadata().name());
    }

    void replaceClasses(Iterable<DeviceClass> all) {
        var gone = new HashMap<>(snapshot.inventory().classes());
        for (var one : all) {
            gone.remove(one.metadata().name());
            put(one);
        }
        gone.values().forEach(this::remove);
    }

    void put(DeviceTaintRule rule) {
        taintRules = taintRules.with(rule.metadata().name(), rule);
        snapshot = snapshot.with(rule);
        listener.onClusterEvent(ClusterEvent.DEVICES_OFFERED);
    }

    void remove(DeviceTaintRule rule) {
        taintRules = taintRules.without(rule.metadata().name());
        snapshot = snapshot.withoutTaintRule(rule.metadata().name());
        listener.onClusterEvent(ClusterEvent.DEVICES_OFFERED);
    }

    void replaceTaintRules(Iterable<DeviceTaintRule> all) {
        var gone = new HashMap<String, DeviceTaintRule>();
        taintRules.forEach(gone::put);
        for (var rule : all) {
            gone.remove(rule.metadata().name());
            put(rule);
        }
        gone.values().forEach(this::remove);
    }
}
