package dev.berth.core.explain;

import dev.berth.core.allocate.rule.AllocatorFeature;
import dev.berth.core.place.Rejection;
import dev.berth.model.api.claim.DeviceClass;
import dev.berth.model.api.claim.ResourceClaim;
import dev.berth.model.api.claim.ResourceClaimSpec;
import dev.berth.model.api.claim.ResourceClaimStatus;
import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.api.node.Node;
import dev.berth.model.api.pod.ExtendedResourceClaimStatus.RequestMapping;
import dev.berth.model.api.slice.ResourceSlice;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/// The inputs that decide whether the claims of a pod can be allocated on a node.
///
/// @param rejections nodes that the pod cannot use for reasons other than free devices, with all
///   reasons, by node name
/// @param slices slices with the taints of DeviceTaintRules added
/// @param holders allocated claims
/// @param own the holders that the pod itself uses; waiting does not release them
/// @param claims unallocated claims of the pod, in its order
/// @param extended the claim for extended resources, if there is one
public record ExplainInputs(
        Set<AllocatorFeature> features,
        List<Node> nodes,
        Map<String, List<Rejection>> rejections,
        List<DeviceClass> classes,
        List<ResourceSlice> slices,
        List<ResourceClaim> holders,
        Set<ObjectRef> own,
        List<ResourceClaim> claims,
        Optional<ExtendedResourceDemand> extended) {

    public ExplainInputs {
        features = Set.copyOf(features);
        nodes = List.copyOf(nodes);
        rejections = Map.copyOf(rejections);
        classes = List.copyOf(classes);
        slices = List.copyOf(slices);
        holders = List.copyOf(holders);
        own = Set.copyOf(own);
        claims = List.copyOf(claims);
    }

    /// The claims to allocate on a node, without requests for extended resources that the node
    /// itself offers.
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

    /// Whether a request is for an extended resource that the node itself offers through a device
    /// plugin.
    boolean isOffered(String node, ObjectRef claim, String request) {
        return extended.filter(demand -> demand.claim().equals(claim))
                .filter(demand -> demand.isOffered(node, request))
                .isPresent();
    }

    /// The container resources that a request serves; empty for other claims.
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
        return with(rejections, classes, slices, holders, newClaims);
    }

    ExplainInputs withHolders(List<ResourceClaim> newHolders) {
        return with(rejections, classes, slices, newHolders, claims);
    }

    ExplainInputs withClasses(List<DeviceClass> newClasses) {
        return with(rejections, newClasses, slices, holders, claims);
    }

    ExplainInputs withSlices(List<ResourceSlice> newSlices) {
        return with(rejections, classes, newSlices, holders, claims);
    }

    ExplainInputs withoutRejections(String node) {
        var fewer = new TreeMap<>(rejections);
        fewer.remove(node);
        return with(fewer, classes, slices, holders, claims);
    }

    /// Variation in which a claim of the pod is not allocated yet.
    ExplainInputs withoutAllocation(ObjectRef claim) {
        var kept = new ArrayList<ResourceClaim>();
        var needed = new ArrayList<>(claims);
        for (var holder : holders) {
            if (holder.ref().equals(claim)) {
                needed.add(holder.withStatus(ResourceClaimStatus.EMPTY));
            } else {
                kept.add(holder);
            }
        }
        return with(rejections, classes, slices, kept, needed);
    }

    /// Variation in which only the claims of the pod itself hold devices.
    ExplainInputs withoutOtherHolders() {
        return withHolders(holders.stream().filter(one -> own.contains(one.ref())).toList());
    }
}
