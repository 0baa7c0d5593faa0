package dev.berth.core.explain;

import dev.berth.core.allocate.rule.AllocatorFeature;
import dev.berth.core.explain.finding.Finding;
import dev.berth.core.place.Rejection;
import dev.berth.model.api.claim.DeviceClass;
import dev.berth.model.api.claim.ResourceClaim;
import dev.berth.model.api.claim.ResourceClaimSpec;
import dev.berth.model.api.claim.ResourceClaimStatus;
import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.api.node.Node;
import dev.berth.model.api.pod.ExtendedResourceClaimStatus.RequestMapping;
import dev.berth.model.api.pod.Pod;
import dev.berth.model.api.slice.ResourceSlice;
import dev.berth.model.api.taint.DeviceTaintRule;
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
/// @param pod the pod to schedule; empty for a claim by itself
/// @param taintRules the rules whose taints are in the slices
/// @param blockers what the pod waits for regardless of nodes
public record ExplainInputs(
        Set<AllocatorFeature> features,
        List<Node> nodes,
        Map<String, List<Rejection>> rejections,
        List<DeviceClass> classes,
        List<ResourceSlice> slices,
        List<ResourceClaim> holders,
        Set<ObjectRef> own,
        List<ResourceClaim> claims,
        Optional<ExtendedResourceDemand> extended,
        Optional<Pod> pod,
        List<DeviceTaintRule> taintRules,
        List<Finding> blockers) {

    /// Inputs of claims without a pod.
    public ExplainInputs(
            Set<AllocatorFeature> features,
            List<Node> nodes,
            Map<String, List<Rejection>> rejections,
            List<DeviceClass> classes,
            List<ResourceSlice> slices,
            List<ResourceClaim> holders,
            Set<ObjectRef> own,
            List<ResourceClaim> claims,
            Optional<ExtendedResourceDemand> extended) {
        this(
                features,
                nodes,
                rejections,
                classes,
                slices,
                holders,
                own,
                claims,
                extended,
                Optional.empty(),
                List.of(),
                List.of());
    }

    public ExplainInputs {
        features = Set.copyOf(features);
        nodes = List.copyOf(nodes);
        rejections = Map.copyOf(rejections);
        classes = List.copyOf(classes);
        slices = List.copyOf(slices);
        holders = List.copyOf(holders);
        own = Set.copyOf(own);
        claims = List.copyOf(claims);
        taintRules = List.copyOf(taintRules);
        blockers = List.copyOf(blockers);
    }

    /// The inputs of a pod.
    public ExplainInputs of(Pod newPod, List<DeviceTaintRule> newRules, List<Finding> newBlockers) {
        return new ExplainInputs(
                features,
                nodes,
                rejections,
                classes,
                slices,
                holders,
                own,
                claims,
                extended,
                Optional.of(newPod),
                newRules,
                newBlockers);
    }

    /// The claims to allocate on a node, without requests for extended resources that the node
    /// itself offers.
    public List<ResourceClaim> claims(String node) {
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
    public boolean isOffered(String node, ObjectRef claim, String request) {
        return extended.filter(demand -> demand.claim().equals(claim))
                .filter(demand -> demand.isOffered(node, request))
                .isPresent();
    }

    /// The container resources that a request serves; empty for other claims.
    public List<RequestMapping> served(ObjectRef claim, String request) {
        return extended.filter(demand -> demand.claim().equals(claim))
                .map(demand -> demand.served(request))
                .orElse(List.of());
    }

    private ExplainInputs with(
            Map<String, List<Rejection>> newRejections,
            List<ResourceSlice> newSlices,
            List<ResourceClaim> newHolders,
            List<ResourceClaim> newClaims) {
        return new ExplainInputs(
                features,
                nodes,
                newRejections,
                classes,
                newSlices,
                newHolders,
                own,
                newClaims,
                extended,
                pod,
                taintRules,
                blockers);
    }

    public ExplainInputs withClaims(List<ResourceClaim> newClaims) {
        return with(rejections, slices, holders, newClaims);
    }

    public ExplainInputs withHolders(List<ResourceClaim> newHolders) {
        return with(rejections, slices, newHolders, claims);
    }

    public ExplainInputs withSlices(List<ResourceSlice> newSlices) {
        return with(rejections, newSlices, holders, claims);
    }

    public ExplainInputs withoutRejections(String node) {
        var fewer = new TreeMap<>(rejections);
        fewer.remove(node);
        return with(fewer, slices, holders, claims);
    }

    /// Variation in which a claim of the pod is not allocated yet.
    public ExplainInputs withoutAllocation(ObjectRef claim) {
        var kept = new ArrayList<ResourceClaim>();
        var needed = new ArrayList<>(claims);
        for (var holder : holders) {
            if (holder.ref().equals(claim)) {
                needed.add(holder.withStatus(ResourceClaimStatus.EMPTY));
            } else {
                kept.add(holder);
            }
        }
        return with(rejections, slices, kept, needed);
    }

    /// Variation in which only the claims of the pod itself hold devices.
    public ExplainInputs withoutOtherHolders() {
        return withHolders(holders.stream().filter(one -> own.contains(one.ref())).toList());
    }
}
