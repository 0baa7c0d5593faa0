package dev.berth.core.explain;

import dev.berth.model.api.claim.AllocationCount;
import dev.berth.model.api.claim.DeviceConstraint;
import dev.berth.model.api.claim.DeviceDemand;
import dev.berth.model.api.claim.DeviceRequest;
import dev.berth.model.api.claim.ResourceClaim;
import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.api.pod.ExtendedResourceClaimStatus.RequestMapping;
import java.util.ArrayList;
import java.util.List;

/// A request of a claim, or one of its `firstAvailable` alternatives.
///
/// @param name the name in allocation results: `request` or `request/alternative`
/// @param serves container resources that the request serves; empty for ordinary claims
public record RequestAlternative(
        ResourceClaim owner,
        String request,
        String name,
        DeviceDemand demand,
        boolean admin,
        List<RequestMapping> serves) {

    public static List<RequestAlternative> of(ExplainInputs inputs) {
        var alternatives = new ArrayList<RequestAlternative>();
        for (var claim : inputs.claims()) {
            for (var request : claim.spec().requests()) {
                switch (request) {
                    case DeviceRequest.Exactly exactly ->
                            alternatives.add(
                                    new RequestAlternative(
                                            claim,
                                            exactly.name(),
                                            exactly.name(),
                                            exactly.demand(),
                                            exactly.isAdmin(),
                                            inputs.served(claim.ref(), exactly.name())));
                    case DeviceRequest.FirstAvailable list ->
                            list.alternatives()
                                    .forEach(alternative ->
                                            alternatives.add(
                                                    new RequestAlternative(
                                                            claim,
                                                            list.name(),
                                                            list.name() + "/" + alternative.name(),
                                                            alternative.demand(),
                                                            false,
                                                            List.of())));
                    case DeviceRequest.Unrecognised _ -> {}
                }
            }
        }
        return alternatives;
    }

    public ObjectRef claim() {
        return owner.ref();
    }

    /// Whether the allocation mode is All, rather than an exact count.
    public boolean allocatesAll() {
        return switch (demand.count()) {
            case AllocationCount.ExactCount _ -> false;
            case AllocationCount.All _ -> true;
            case AllocationCount.Unrecognised(var mode, _) -> mode.equals("All");
        };
    }

    /// The number of devices; meaningless with allocation mode All.
    public long count() {
        return switch (demand.count()) {
            case AllocationCount.ExactCount(var count) -> count;
            case AllocationCount.All _ -> 1;
            case AllocationCount.Unrecognised(_, var count) -> count;
        };
    }

    /// The attributes that constraints compare on the devices of this request.
    public List<String> comparedAttributes() {
        var attributes = new ArrayList<String>();
        for (var constraint : owner.spec().constraints()) {
            if (!isBoundBy(constraint)) {
                continue;
            }
            switch (constraint) {
                case DeviceConstraint.MatchAttribute match -> attributes.add(match.attribute());
                case DeviceConstraint.DistinctAttribute distinct ->
                        attributes.add(distinct.attribute());
                case DeviceConstraint.Unrecognised _ -> {}
            }
        }
        demand.derivedAttributes().forEach(derived -> attributes.removeIf(derived.name()::equals));
        return attributes.stream().distinct().toList();
    }

    public boolean isBoundBy(DeviceConstraint constraint) {
        var requests = constraint.requests();
        return requests.isEmpty() || requests.contains(request) || requests.contains(name);
    }
}
