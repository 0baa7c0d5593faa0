package dev.berth.core.explain;

import dev.berth.core.allocate.AllocatorFeature;
import dev.berth.core.place.Rejection;
import dev.berth.model.api.DeviceClass;
import dev.berth.model.api.ExtendedResourceClaimStatus.RequestMapping;
import dev.berth.model.api.Node;
import dev.berth.model.api.ObjectRef;
import dev.berth.model.api.ResourceClaim;
import dev.berth.model.api.ResourceClaimSpec;
import dev.berth.model.api.ResourceClaimStatus;
import dev.berth.model.api.ResourceSlice;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/// All that decides whether the claims of a pod can be served somewhere.
///
/// @param barred nodes that the pod may not use whatever their devices, with all reasons
/// @param slices with all taints, those of rules included
/// @param holders claims that are allocated
/// @param own those of the holders that the pod itself uses; it cannot wait for them
/// @param claims what the pod still needs, in its order
/// @param extended which of the claims stands for resources, if one does
public record ExplainInputs(
        Set<AllocatorFeature> features,
        List<Node> nodes,
        Map<String, List<Rejection>> barred,
        List<DeviceClass> classes,
        List<ResourceSlice> slices,
        List<ResourceClaim> holders,
        Set<ObjectRef> own,
        List<ResourceClaim> claims,
        Optional<ExtendedResourceDemand> extended) {

    public ExplainInputs {
        features = Set.copyOf(features);
        nodes = List.copyOf(nodes);
        barred = Map.copyOf(barred);
        classes = List.copyOf(classes);
        slices = List.copyOf(slices);
        holders = List.copyOf(holders);
        own = Set.copyOf(own);
        claims = List.copyOf(claims);
    }

    /// What a node has to serve: less than all where it offers resources itself.
    List<ResourceClaim> claims(String node) {
        if (extended.filter(demand -> demand.offered().containsKey(node)).isEmpty()) {
            return claims;
        }
        var rest = new ArrayList<ResourceClaim>();
        for (var claim : claims) {
            var requests =
                    claim.spec().requests().stream()
                            .filter(request -> !isOffered(node, claim.ref(), request.name()))
                            .toList();
            if (requests.size() == claim.spec().requests().size()) {
                rest.add(claim);
            } else if (!requests.isEmpty()) {
                var spec = claim.spec();
                rest.add(
                        new ResourceClaim(
                                claim.metadata(),
                                new ResourceClaimSpec(requests, spec.constraints(), spec.config()),
                                claim.status()));
            }
        }
        return rest;
    }

    /// True when a request is for a resource that the node offers itself.
    boolean isOffered(String node, ObjectRef claim, String request) {
        return extended.filter(demand -> demand.claim().equals(claim))
                .filter(demand -> demand.isOffered(node, request))
                .isPresent();
    }

    /// Which resources of which containers a request serves; none for requests of other claims.
    List<RequestMapping> served(ObjectRef claim, String request) {
        return extended.filter(demand -> demand.claim().equals(claim))
                .map(demand -> demand.served(request))
                .orElse(List.of());
    }

    private ExplainInputs with(
            Map<String, List<Rejection>> newBarred,
            List<DeviceClass> newClasses,
            List<ResourceSlice> newSlices,
            List<ResourceClaim> newHolders,
            List<ResourceClaim> newClaims) {
        return new ExplainInputs(
                features,
                nodes,
                newBarred,
                newClasses,
                newSlices,
                newHolders,
                own,
                newClaims,
                extended);
    }

    ExplainInputs withClaims(List<ResourceClaim> newClaims) {
        return with(barred, classes, slices, holders, newClaims);
    }

    ExplainInputs withHolders(List<ResourceClaim> newHolders) {
        return with(barred, classes, slices, newHolders, claims);
    }

    ExplainInputs withClasses(List<DeviceClass> newClasses) {
        return with(barred, newClasses, slices, holders, claims);
    }

    ExplainInputs withSlices(List<ResourceSlice> newSlices) {
        return with(barred, classes, newSlices, holders, claims);
    }

    ExplainInputs allowing(String node) {
        var fewer = new TreeMap<>(barred);
        fewer.remove(node);
        return with(fewer, classes, slices, holders, claims);
    }

    /// As if a claim of the pod had no devices yet.
    ExplainInputs givingBack(ObjectRef claim) {
        var kept = new ArrayList<ResourceClaim>();
        var needed = new ArrayList<>(claims);
        for (var holder : holders) {
            if (holder.ref().equals(claim)) {
                needed.add(holder.withStatus(ResourceClaimStatus.EMPTY));
            } else {
                kept.add(holder);
            }
        }
        return with(barred, classes, slices, kept, needed);
    }

    /// As if nobody held anything but the pod itself.
    ExplainInputs released() {
        return withHolders(holders.stream().filter(one -> own.contains(one.ref())).toList());
    }
}
