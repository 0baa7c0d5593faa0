package dev.berth.testkit.verify;

import dev.berth.core.allocate.AllocationRequest;
import dev.berth.core.allocate.AllocatorFeature;
import dev.berth.core.ledger.Holdings;
import dev.berth.model.api.AllocatedDevice;
import dev.berth.model.api.AllocationResult;
import dev.berth.model.api.Device;
import dev.berth.model.api.ResourceClaim;
import dev.berth.model.api.ResourceClaimSpec;
import dev.berth.model.api.ResourceSlice;
import dev.berth.model.api.ResourceSliceSpec;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;

/// A question with an allocation, of which one part can be exchanged at a time.
///
/// @param claim the position of the first claim that has devices
record Judged(AllocationRequest question, List<AllocationResult> results, int claim) {

    Judged {
        results = List.copyOf(results);
    }

    AllocationResult result() {
        return results.get(claim);
    }

    AllocatedDevice device() {
        return result().devices().getFirst();
    }

    /// What is published of the first device.
    Device published() {
        return slice().spec().devices().stream()
                .filter(one -> one.name().equals(device().id().device()))
                .findFirst()
                .orElseThrow();
    }

    /// The newest slice with the first device.
    ResourceSlice slice() {
        return question.slices().stream()
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

    ResourceClaim asked() {
        return question.claims().get(claim);
    }

    boolean has(AllocatorFeature feature) {
        return question.features().contains(feature);
    }

    Judged withResults(List<AllocationResult> newResults) {
        return new Judged(question, newResults, claim);
    }

    Judged withResult(AllocationResult result) {
        var changed = new ArrayList<>(results);
        changed.set(claim, result);
        return withResults(changed);
    }

    Judged withDevices(List<AllocatedDevice> devices) {
        return withResult(
                new AllocationResult(
                        devices,
                        result().config(),
                        result().nodeSelector(),
                        result().allocationTimestamp()));
    }

    Judged withDevice(AllocatedDevice device) {
        var devices = new ArrayList<>(result().devices());
        devices.set(0, device);
        return withDevices(devices);
    }

    Judged without(AllocatorFeature feature) {
        var features = new HashSet<>(question.features());
        features.remove(feature);
        return withQuestion(
                new AllocationRequest(
                        features,
                        question.node(),
                        question.classes(),
                        question.slices(),
                        question.holdings(),
                        question.claims()));
    }

    Judged withHoldings(Holdings holdings) {
        return withQuestion(
                new AllocationRequest(
                        question.features(),
                        question.node(),
                        question.classes(),
                        question.slices(),
                        holdings,
                        question.claims()));
    }

    Judged withClaims(List<ResourceClaim> claims) {
        return withQuestion(
                new AllocationRequest(
                        question.features(),
                        question.node(),
                        question.classes(),
                        question.slices(),
                        question.holdings(),
                        claims));
    }

    Judged withSpec(ResourceClaimSpec spec) {
        var claims = new ArrayList<>(question.claims());
        claims.set(claim, new ResourceClaim(asked().metadata(), spec, asked().status()));
        return withClaims(claims);
    }

    /// Changes all slices of the pool of the first device.
    Judged withPool(UnaryOperator<ResourceSliceSpec> change) {
        return withSlices(slice ->
                slice.poolId().equals(device().id().poolId())
                        ? new ResourceSlice(slice.metadata(), change.apply(slice.spec()))
                        : slice);
    }

    Judged withSlices(UnaryOperator<ResourceSlice> change) {
        return withQuestion(
                new AllocationRequest(
                        question.features(),
                        question.node(),
                        question.classes(),
                        question.slices().stream().map(change).toList(),
                        question.holdings(),
                        question.claims()));
    }

    /// Changes every device that is published.
    Judged withEach(BiFunction<ResourceSlice, Device, Device> change) {
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

    private Judged withQuestion(AllocationRequest newQuestion) {
        return new Judged(newQuestion, results, claim);
    }
}
