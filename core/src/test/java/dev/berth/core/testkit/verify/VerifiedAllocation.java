package dev.berth.core.testkit.verify;

import dev.berth.core.allocate.AllocationRequest;
import dev.berth.core.allocate.rule.AllocatorFeature;
import dev.berth.core.ledger.Holdings;
import dev.berth.model.api.claim.AllocatedDevice;
import dev.berth.model.api.claim.AllocationResult;
import dev.berth.model.api.claim.ResourceClaim;
import dev.berth.model.api.claim.ResourceClaimSpec;
import dev.berth.model.api.slice.Device;
import dev.berth.model.api.slice.ResourceSlice;
import dev.berth.model.api.slice.ResourceSliceSpec;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;

/// A request with its valid allocation, of which single parts can be replaced.
///
/// @param claim the position of the first claim that has devices
record VerifiedAllocation(
        AllocationRequest allocationRequest, List<AllocationResult> results, int claim) {

    VerifiedAllocation {
        results = List.copyOf(results);
    }

    AllocationResult result() {
        return results.get(claim);
    }

    AllocatedDevice device() {
        return result().devices().getFirst();
    }

    /// The published form of the first device.
    Device published() {
        return slice().spec().devices().stream()
                .filter(one -> one.name().equals(device().id().device()))
                .findFirst()
                .orElseThrow();
    }

    /// The newest slice with the first device.
    ResourceSlice slice() {
        return allocationRequest.slices().stream()
                .filter(slice -> slice.poolId().equals(device().id().poolId()))
                .filter(slice ->
                        slice.spec().devices().stream()
                                .anyMatch(one -> one.name().equals(device().id().device())))
                .max((a, b) -> Long.compare(generation(a), generation(b)))
                .orElseThrow();
    }

    private static long generation(ResourceSlice slice) {
        return slice.spec().pool().generation();
    }

    ResourceClaim resourceClaim() {
        return allocationRequest.claims().get(claim);
    }

    boolean has(AllocatorFeature feature) {
        return allocationRequest.features().contains(feature);
    }

    VerifiedAllocation withResults(List<AllocationResult> newResults) {
        return new VerifiedAllocation(allocationRequest, newResults, claim);
    }

    VerifiedAllocation withResult(AllocationResult result) {
        var changed = new ArrayList<>(results);
        changed.set(claim, result);
        return withResults(changed);
    }

    VerifiedAllocation withDevices(List<AllocatedDevice> devices) {
        return withResult(
                new AllocationResult(
                        devices,
                        result().config(),
                        result().nodeSelector(),
                        result().allocationTimestamp()));
    }

    VerifiedAllocation withDevice(AllocatedDevice device) {
        var devices = new ArrayList<>(result().devices());
        devices.set(0, device);
        return withDevices(devices);
    }

    VerifiedAllocation without(AllocatorFeature feature) {
        var features = new HashSet<>(allocationRequest.features());
        features.remove(feature);
        return withQuestion(
                new AllocationRequest(
                        features,
                        allocationRequest.node(),
                        allocationRequest.classes(),
                        allocationRequest.slices(),
                        allocationRequest.holdings(),
                        allocationRequest.claims()));
    }

    VerifiedAllocation withHoldings(Holdings holdings) {
        return withQuestion(
                new AllocationRequest(
                        allocationRequest.features(),
                        allocationRequest.node(),
                        allocationRequest.classes(),
                        allocationRequest.slices(),
                        holdings,
                        allocationRequest.claims()));
    }

    VerifiedAllocation withClaims(List<ResourceClaim> claims) {
        return withQuestion(
                new AllocationRequest(
                        allocationRequest.features(),
                        allocationRequest.node(),
                        allocationRequest.classes(),
                        allocationRequest.slices(),
                        allocationRequest.holdings(),
                        claims));
    }

    VerifiedAllocation withSpec(ResourceClaimSpec spec) {
        var claims = new ArrayList<>(allocationRequest.claims());
        claims.set(
                claim,
                new ResourceClaim(resourceClaim().metadata(), spec, resourceClaim().status()));
        return withClaims(claims);
    }

    /// Changes all slices of the pool of the first device.
    VerifiedAllocation withPool(UnaryOperator<ResourceSliceSpec> change) {
        return withSlices(slice ->
                slice.poolId().equals(device().id().poolId())
                        ? new ResourceSlice(slice.metadata(), change.apply(slice.spec()))
                        : slice);
    }

    VerifiedAllocation withSlices(UnaryOperator<ResourceSlice> change) {
        return withQuestion(
                new AllocationRequest(
                        allocationRequest.features(),
                        allocationRequest.node(),
                        allocationRequest.classes(),
                        allocationRequest.slices().stream().map(change).toList(),
                        allocationRequest.holdings(),
                        allocationRequest.claims()));
    }

    /// Changes every device that is published.
    VerifiedAllocation withEach(BiFunction<ResourceSlice, Device, Device> change) {
        return withSlices(slice ->
                new ResourceSlice(
                        slice.metadata(),
                        withContent(
                                slice.spec(),
                                slice.spec().devices().stream()
                                        .map(one -> change.apply(slice, one))
                                        .toList())));
    }

    static ResourceSliceSpec withContent(ResourceSliceSpec spec, List<Device> devices) {
        return new ResourceSliceSpec(
                spec.driver(),
                spec.pool(),
                spec.scope(),
                devices,
                spec.sharedCounters(),
                spec.partitionTypeAttribute(),
                spec.skipNodeOperations());
    }

    private VerifiedAllocation withQuestion(AllocationRequest newQuestion) {
        return new VerifiedAllocation(newQuestion, results, claim);
    }
}
