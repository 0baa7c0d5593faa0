package dev.berth.core.explain;

import dev.berth.core.allocate.AllocationRequest;
import dev.berth.core.allocate.rule.AllocatorFeature;
import dev.berth.core.ledger.Holdings;
import dev.berth.model.api.claim.AllocationCount;
import dev.berth.model.api.claim.DeviceConstraint;
import dev.berth.model.api.claim.DeviceDemand;
import dev.berth.model.api.claim.DeviceRequest;
import dev.berth.model.api.claim.ResourceClaim;
import dev.berth.model.api.claim.ResourceClaimSpec;
import dev.berth.model.api.claim.ShareId;
import dev.berth.model.api.slice.Device;
import dev.berth.model.api.slice.DeviceId;
import dev.berth.model.api.slice.PoolId;
import dev.berth.model.api.slice.ResourceSlice;
import dev.berth.model.api.slice.ResourceSliceSpec;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Allocation requests that test for each device whether a request can get it.
///
/// All other devices are marked as allocated, but only those allocated before consume counters.
final class SingleDeviceRequests {

    private final ExplainInputs inputs;
    private final Set<PoolId> unusable = new HashSet<>();
    private final RequestReport report;

    SingleDeviceRequests(ExplainInputs inputs, NodeReport node, RequestReport report) {
        this.inputs = inputs;
        this.report = report;
        node.pools().forEach(pool -> unusable.add(pool.pool()));
    }

    /// Not for admin access, which ignores allocations. Not for slices with compatibility groups if
    /// these are disabled: such slices are ignored, and would be considered after the change.
    boolean isComparable() {
        return demand().isPresent()
                && inputs.features().contains(AllocatorFeature.COMPATIBILITY_GROUPS);
    }

    List<AllocationRequest> requests() {
        var ids = new LinkedHashSet<DeviceId>();
        for (var slice : inputs.slices()) {
            if (!unusable.contains(slice.poolId())) {
                slice.spec().devices().forEach(device -> ids.add(id(slice, device)));
            }
        }
        var requests = new ArrayList<AllocationRequest>();
        ids.forEach(id -> requests.add(allocationRequest(id)));
        return requests;
    }

    private AllocationRequest allocationRequest(DeviceId only) {
        var holdings = Holdings.of(inputs.holders());
        var inUse = new HashSet<>(holdings.exclusive());
        holdings.shares().stream().map(ShareId::device).forEach(inUse::add);
        var exclusive = new HashSet<>(inUse);
        var slices = new ArrayList<ResourceSlice>();
        for (var slice : inputs.slices()) {
            if (!unusable.contains(slice.poolId())) {
                slice.spec().devices().forEach(device -> exclusive.add(id(slice, device)));
                slices.add(drawingOnly(slice, only, inUse));
            }
        }
        if (!holdings.exclusive().contains(only)) {
            exclusive.remove(only);
        }
        return new AllocationRequest(
                inputs.features(),
                inputs.nodes().getFirst(),
                inputs.classes(),
                slices,
                new Holdings(exclusive, holdings.shares(), holdings.consumed()),
                List.of(claim()));
    }

    private ResourceSlice drawingOnly(ResourceSlice slice, DeviceId only, Set<DeviceId> inUse) {
        var spec = slice.spec();
        return new ResourceSlice(
                slice.metadata(),
                new ResourceSliceSpec(
                        spec.driver(),
                        spec.pool(),
                        spec.scope(),
                        spec.devices().stream()
                                .map(device -> {
                                    var id = id(slice, device);
                                    return id.equals(only) || inUse.contains(id)
                                            ? device
                                            : device.withConsumesCounters(List.of());
                                })
                                .toList(),
                        spec.sharedCounters(),
                        spec.partitionTypeAttribute(),
                        spec.skipNodeOperations()));
    }

    private static DeviceId id(ResourceSlice slice, Device device) {
        var pool = slice.poolId();
        return new DeviceId(pool.driver(), pool.pool(), device.name());
    }

    private ResourceClaim owner() {
        return inputs.claims().stream()
                .filter(claim -> claim.ref().equals(report.claim()))
                .findFirst()
                .orElseThrow();
    }

    private ResourceClaim claim() {
        var owner = owner();
        var constraints = new ArrayList<DeviceConstraint>();
        for (var constraint : owner.spec().constraints()) {
            var bound = constraint.requests();
            if (bound.isEmpty()
                    || bound.contains(report.request())
                    || bound.contains(report.wholeRequest())) {
                constraints.add(forAll(constraint));
            }
        }
        var request =
                new DeviceRequest.Exactly(
                        report.wholeRequest(), demand().orElseThrow(), Optional.empty());
        return new ResourceClaim(
                owner.metadata(),
                new ResourceClaimSpec(List.of(request), constraints, List.of()),
                owner.status());
    }

    private static DeviceConstraint forAll(DeviceConstraint constraint) {
        return switch (constraint) {
            case DeviceConstraint.MatchAttribute match ->
                    new DeviceConstraint.MatchAttribute(
                            List.of(), match.attribute(), Optional.empty());
            case DeviceConstraint.DistinctAttribute distinct ->
                    new DeviceConstraint.DistinctAttribute(List.of(), distinct.attribute());
            case DeviceConstraint.Unrecognised unknown -> unknown;
        };
    }

    /// The demand of the request with a count of one.
    private Optional<DeviceDemand> demand() {
        for (var request : owner().spec().requests()) {
            switch (request) {
                case DeviceRequest.Exactly exactly
                        when exactly.name().equals(report.request())
                                && exactly.adminAccess().isEmpty() -> {
                    return Optional.of(exactly.demand()).map(SingleDeviceRequests::one);
                }
                case DeviceRequest.FirstAvailable list -> {
                    for (var alternative : list.alternatives()) {
                        if (report.request().equals(list.name() + "/" + alternative.name())) {
                            return Optional.of(alternative.demand()).map(SingleDeviceRequests::one);
                        }
                    }
                }
                case DeviceRequest.Exactly _, DeviceRequest.Unrecognised _ -> {}
            }
        }
        return Optional.empty();
    }

    private static DeviceDemand one(DeviceDemand demand) {
        return new DeviceDemand(
                demand.deviceClassName(),
                demand.selectors(),
                new AllocationCount.ExactCount(1),
                demand.tolerations(),
                demand.capacity(),
                demand.derivedAttributes());
    }
}
