package dev.berth.bench;

import dev.berth.model.api.AllocationCount;
import dev.berth.model.api.CapacityRequirements;
import dev.berth.model.api.DeviceConstraint;
import dev.berth.model.api.DeviceDemand;
import dev.berth.model.api.DeviceRequest;
import dev.berth.model.api.DeviceSubRequest;
import dev.berth.model.api.ObjectMeta;
import dev.berth.model.api.ResourceClaim;
import dev.berth.model.api.ResourceClaimSpec;
import dev.berth.model.api.ResourceClaimStatus;
import dev.berth.model.quantity.Quantity;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// A claim that is put together request by request.
final class ClaimBuilder {

    /// The capacity that shares are of.
    static final String SHARED = "units";

    private final List<DeviceRequest> requests = new ArrayList<>();
    private final List<DeviceConstraint> constraints = new ArrayList<>();

    /// One request for so many devices; none for zero.
    ClaimBuilder want(String name, String kind, int count) {
        if (count > 0) {
            requests.add(new DeviceRequest.Exactly(name, demand(kind, count), Optional.empty()));
        }
        return this;
    }

    /// So many requests for one device each.
    ClaimBuilder wantSingles(String kind, int count) {
        for (var i = 0; i < count; i++) {
            want(kind + "-" + i, kind, 1);
        }
        return this;
    }

    /// A request with alternatives that are all alike.
    ClaimBuilder wantOneOf(String name, String kind, int alternatives) {
        var list = new ArrayList<DeviceSubRequest>();
        for (var i = 0; i < alternatives; i++) {
            list.add(new DeviceSubRequest("or-" + i, demand(kind, 1)));
        }
        requests.add(new DeviceRequest.FirstAvailable(name, list));
        return this;
    }

    /// A share of one device.
    ClaimBuilder wantShare(String name, String kind, int units) {
        var plain = demand(kind, 1);
        var share =
                new DeviceDemand(
                        plain.deviceClassName(),
                        plain.selectors(),
                        plain.count(),
                        plain.tolerations(),
                        Optional.of(new CapacityRequirements(Map.of(SHARED, Quantity.of(units)))),
                        plain.derivedAttributes());
        requests.add(new DeviceRequest.Exactly(name, share, Optional.empty()));
        return this;
    }

    private static DeviceDemand demand(String kind, int count) {
        return DeviceDemand.of(kind, new AllocationCount.ExactCount(count));
    }

    /// The devices of these requests are of one group; of all requests when none is named.
    ClaimBuilder inOneGroup(String... names) {
        constraints.add(
                new DeviceConstraint.MatchAttribute(
                        List.of(names), SingleNodePool.GROUP, Optional.empty()));
        return this;
    }

    /// No two devices of the claim are of one group.
    ClaimBuilder inGroupsOfTheirOwn() {
        constraints.add(new DeviceConstraint.DistinctAttribute(List.of(), SingleNodePool.GROUP));
        return this;
    }

    ResourceClaim claim(String name) {
        return new ResourceClaim(
                ObjectMeta.of("default", name),
                new ResourceClaimSpec(requests, constraints, List.of()),
                ResourceClaimStatus.EMPTY);
    }

    List<ResourceClaim> only() {
        return List.of(claim("claim"));
    }
}
