package dev.berth.control.schedule;

import dev.berth.core.persistent.PersistentSortedMap;
import dev.berth.core.place.PlacementRequest;
import dev.berth.core.schedule.BindingFacts.ForeignAllocation;
import dev.berth.core.schedule.BindingWrites;
import dev.berth.core.snapshot.ClusterSnapshot;
import dev.berth.core.snapshot.ExtendedResourceClaims;
import dev.berth.model.api.claim.ResourceClaim;
import dev.berth.model.api.meta.KubernetesObject;
import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.api.meta.Uid;
import dev.berth.model.api.pod.Pod;
import dev.berth.model.api.pod.PodGroup;
import dev.berth.model.api.slice.ResourceSlice;
import dev.berth.model.api.taint.DeviceTaintRule;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/// The cluster as shown by the watches and changed by assumptions, as a snapshot, with the objects
/// that the snapshot does not contain in full. Belongs to the scheduler's thread.
final class ClusterView {

    private final Map<ObjectRef, Pod> pods = new HashMap<>();
    private final Map<ObjectRef, ResourceClaim> claims = new HashMap<>();
    private final Map<Uid, ResourceClaim> extended = new HashMap<>();
    private final List<ForeignAllocation> foreignAllocations = new ArrayList<>();
    private PersistentSortedMap<String, ResourceSlice> slices = PersistentSortedMap.of();
    private PersistentSortedMap<String, DeviceTaintRule> taintRules = PersistentSortedMap.of();
    private ClusterSnapshot snapshot;
    private long sequence;

    ClusterView(ClusterSnapshot empty) {
        this.snapshot = empty;
    }

    ClusterSnapshot snapshot() {
        return snapshot;
    }

    void change(UnaryOperator<ClusterSnapshot> change) {
        snapshot = change.apply(snapshot);
    }

    PersistentSortedMap<String, ResourceSlice> slices() {
        return slices;
    }

    /// The watched pods, to be kept up to date by their [KindView].
    Map<ObjectRef, Pod> pods() {
        return pods;
    }

    Optional<Pod> pod(ObjectRef ref) {
        return Optional.ofNullable(pods.get(ref));
    }

    /// The watched claims, to be kept up to date by their [KindView].
    Map<ObjectRef, ResourceClaim> claims() {
        return claims;
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

    void put(ResourceClaim claim) {
        snapshot = snapshot.with(claim);
        ExtendedResourceClaims.podOf(claim).ifPresent(pod -> extended.put(pod, claim));
    }

    void remove(ResourceClaim claim) {
        snapshot = snapshot.withoutClaim(claim.ref());
        ExtendedResourceClaims.podOf(claim).ifPresent(pod -> extended.remove(pod, claim));
    }

    /// Adds or replaces slices. Each pool is built once.
    void putSlices(List<ResourceSlice> all) {
        for (var slice : all) {
            slices = slices.with(slice.metadata().name(), slice);
        }
        snapshot = all.size() == 1 ? snapshot.with(all.getFirst()) : snapshot.with(all);
    }

    void removeSlice(String name) {
        slices = slices.without(name);
        snapshot = snapshot.withoutSlice(name);
    }

    void put(DeviceTaintRule rule) {
        taintRules = taintRules.with(rule.metadata().name(), rule);
        snapshot = snapshot.with(rule);
    }

    void removeTaintRule(String name) {
        taintRules = taintRules.without(name);
        snapshot = snapshot.withoutTaintRule(name);
    }

    /// The number of allocations of other schedulers seen so far.
    long sequence() {
        return sequence;
    }

    /// Adds the allocation that another scheduler wrote to a claim.
    ///
    /// @param isExact false for a claim from a list, which may show a later version
    void addForeignAllocation(ResourceClaim claim, boolean isExact) {
        var devices = claim.status().allocation().orElseThrow().devices();
        foreignAllocations.add(
                new ForeignAllocation(++sequence, claim.ref(), version(claim), isExact, devices));
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

    /// A report on a pending pod in the current state.
    ///
    /// @param request the request to explain; empty when there is nothing to explain
    PendingPodReporter.Report report(
            Pod pod, String reason, String message, Optional<PlacementRequest> request) {
        return new PendingPodReporter.Report(
                pod(pod.ref()).orElse(pod),
                reason,
                message,
                request,
                new PendingPodReporter.ClusterState(snapshot, slices, taintRules));
    }
}
