package dev.berth.bench;

import dev.berth.model.api.claim.AllocationCount;
import dev.berth.model.api.claim.CapacityRequirements;
import dev.berth.model.api.claim.DeviceConstraint;
import dev.berth.model.api.claim.DeviceDemand;
import dev.berth.model.api.claim.DeviceRequest;
import dev.berth.model.api.claim.DeviceSubRequest;
import dev.berth.model.api.claim.ResourceClaim;
import dev.berth.model.api.claim.ResourceClaimSpec;
import dev.berth.model.api.claim.ResourceClaimStatus;
import dev.berth.model.api.meta.ObjectMeta;
import dev.berth.model.quantity.Quantity;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Builds a claim request by request.
final class ClaimBuilder {

    /// Name of the shared capacity.
    static final String SHARED = "units";

    private final List<DeviceRequest> requests = new ArrayList<>();
    private final List<DeviceConstraint> constraints = new ArrayList<>();

    /// Adds a request for a number of devices; no request for zero.
    ClaimBuilder request(String name, String kind, int count) {
        if (count > 0) {
            requests.add(new DeviceRequest.Exactly(name, demand(kind, count), Optional.empty()));
        }
        return this;
    }

    /// Adds requests for one device each.
    ClaimBuilder requestSingles(String kind, int count) {
        for (var i = 0; i < count; i++) {
            request(kind + "-" + i, kind, 1);
        }
        return this;
    }

    /// Adds a `firstAvailable` request with equal alternatives.
    ClaimBuilder requestOneOf(String name, String kind, int alternatives) {
        var list = new ArrayList<DeviceSubRequest>();
        for (var i = 0; i < alternatives; i++) {
            list.add(new DeviceSubRequest("or-" + i, demand(kind, 1)));
        }
        requests.add(new DeviceRequest.FirstAvailable(name, list));
        return this;
    }

    /// Adds a request for a share of one device.
    ClaimBuilder requestShare(String name, String kind, int units) {
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

    /// Adds a match constraint on the group for these requests; for all requests if none is given.
    ClaimBuilder inOneGroup(String... names) {
        constraints.add(
                new DeviceConstraint.MatchAttribute(
                        List.of(names), SingleNodePool.GROUP, Optional.empty()));
        return this;
    }

    /// Adds a distinct constraint on the group.
    ClaimBuilder inDistinctGroups() {
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
