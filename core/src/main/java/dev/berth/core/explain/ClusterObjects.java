package dev.berth.core.explain;

import dev.berth.core.allocate.rule.AllocatorFeature;
import dev.berth.core.explain.finding.ControlPlaneRecords;
import dev.berth.core.explain.finding.Finding;
import dev.berth.core.explain.finding.PodPrerequisites;
import dev.berth.core.place.ClaimResolver;
import dev.berth.core.place.PlacementRequest;
import dev.berth.core.place.PreFilterResult;
import dev.berth.core.place.Rejection;
import dev.berth.core.snapshot.ClusterContext;
import dev.berth.core.snapshot.ClusterUsage;
import dev.berth.core.snapshot.ExtendedResourceClaim;
import dev.berth.core.snapshot.ExtendedResources;
import dev.berth.core.taint.TaintRules;
import dev.berth.model.api.claim.DeviceClass;
import dev.berth.model.api.claim.ResourceClaim;
import dev.berth.model.api.claim.ResourceClaimTemplate;
import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.api.node.Node;
import dev.berth.model.api.pod.Pod;
import dev.berth.model.api.pod.PodClaimReferences;
import dev.berth.model.api.slice.PoolId;
import dev.berth.model.api.slice.ResourceSlice;
import dev.berth.model.api.taint.DeviceTaintRule;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/// The objects of a cluster that decide where one pod or claim can be placed.
///
/// @param pods all pods, including the one to explain
/// @param context volumes and namespace labels
/// @param usage pods per node, and the allocated claims
/// @param records what control-plane components have done
/// @param assumed pods that a scheduler has assumed on their nodes, without a confirmed binding
public record ClusterObjects(
        List<Node> nodes,
        List<DeviceClass> classes,
        List<ResourceSlice> slices,
        List<DeviceTaintRule> taintRules,
        List<ResourceClaim> claims,
        List<ResourceClaimTemplate> templates,
        List<Pod> pods,
        ClusterContext context,
        ClusterUsage usage,
        ControlPlaneRecords records,
        Set<ObjectRef> assumed) {

    /// Computes the usage from the pods and claims.
    public ClusterObjects(
            List<Node> nodes,
            List<DeviceClass> classes,
            List<ResourceSlice> slices,
            List<DeviceTaintRule> taintRules,
            List<ResourceClaim> claims,
            List<ResourceClaimTemplate> templates,
            List<Pod> pods,
            ClusterContext context) {
        this(
                nodes,
                classes,
                slices,
                taintRules,
                claims,
                templates,
                pods,
                context,
                ClusterUsage.of(pods, claims),
                ControlPlaneRecords.UNKNOWN,
                Set.of());
    }

    public ClusterObjects {
        nodes = List.copyOf(nodes);
        classes = List.copyOf(classes);
        slices = List.copyOf(slices);
        taintRules = List.copyOf(taintRules);
        claims = List.copyOf(claims);
        templates = List.copyOf(templates);
        pods = List.copyOf(pods);
        assumed = Set.copyOf(assumed);
    }

    /// The same objects with other records.
    public ClusterObjects with(ControlPlaneRecords newRecords) {
        return new ClusterObjects(
                nodes,
                classes,
                slices,
                taintRules,
                claims,
                templates,
                pods,
                context,
                usage,
                newRecords,
                assumed);
    }

    /// Result of looking up a pod or claim.
    public sealed interface Lookup {
        record Found(ExplainInputs inputs) implements Lookup {}

        /// An object that the pod references is missing, so that no node can be evaluated.
        ///
        /// @param reason the message of kube-scheduler
        record Blocked(String reason, List<Finding> blockers) implements Lookup {
            public Blocked {
                blockers = List.copyOf(blockers);
            }
        }

        /// The pod or claim does not exist.
        record Missing(String reason) implements Lookup {}
    }

    /// The inputs for a pod. Claims of templates that do not exist yet are derived from the
    /// template.
    public Lookup ofPod(ExplainOptions options, ObjectRef ref) {
        var pod = pods.stream().filter(p -> p.ref().equals(ref)).findFirst();
        if (pod.isEmpty()) {
            return new Lookup.Missing("there is no pod " + ref);
        }
        var resolver =
                ClaimResolver.instantiating(
                        this::find, ClaimResolver.GeneratedClaims.Instantiated.from(templates));
        var blockers = PodPrerequisites.of(this, options.now(), pod.get());
        return switch (resolver.resolve(pod.get())) {
            case PreFilterResult.Blocked(var reason) -> new Lookup.Blocked(reason, blockers);
            case PreFilterResult.Ready(var request) -> ofRequest(options, request, blockers);
        };
    }

    private Lookup ofRequest(
            ExplainOptions options, PlacementRequest request, List<Finding> blockers) {
        var used = new ArrayList<>(request.claims());
        var demand = extended(request.pod(), used);
        var nodeRejections = new NodeRejections(this, options, used);
        return new Lookup.Found(
                inputs(options, used, nodeRejections.of(request.pod()), demand)
                        .of(request.pod(), taintRules, blockers));
    }

    /// Adds the claim for the extended resources of the pod: the existing claim, or the one that
    /// the scheduler would create.
    private Optional<ExtendedResourceDemand> extended(Pod pod, List<ResourceClaim> used) {
        var stored = PodClaimReferences.ofExtendedResources(pod).flatMap(this::find);
        if (stored.isPresent()) {
            used.add(stored.get());
            return Optional.of(
                    new ExtendedResourceDemand(
                            stored.get().ref(),
                            PodClaimReferences.extendedResourceMappings(pod),
                            Map.of()));
        }
        if (!pod.spec().nodeName().isEmpty()) {
            // The pod is bound without such a claim: the node serves its resources by a device
            // plugin.
            return Optional.empty();
        }
        var resources = ExtendedResources.of(classes);
        return resources
                .claim(pod)
                .map(made -> {
                    used.add(made.claim());
                    return new ExtendedResourceDemand(
                            made.claim().ref(), made.mappings(), offered(resources, pod, made));
                });
    }

    private Map<String, Set<String>> offered(
            ExtendedResources resources, Pod pod, ExtendedResourceClaim made) {
        var requested = resources.of(pod).keySet();
        var offered = new HashMap<String, Set<String>>();
        for (var node : nodes) {
            var asDevices = ExtendedResources.deviceBacked(requested, node);
            for (var mapping : made.mappings()) {
                if (!asDevices.contains(mapping.resourceName())) {
                    offered.computeIfAbsent(node.name(), _ -> new HashSet<>())
                            .add(mapping.requestName());
                }
            }
        }
        return offered;
    }

    /// The inputs for a claim, as if one pod used only this claim.
    public Lookup ofClaim(ExplainOptions options, ObjectRef ref) {
        return find(ref)
                .<Lookup>map(claim -> {
                    var used = List.of(claim);
                    var rejections = new NodeRejections(this, options, used).ofClaims();
                    return new Lookup.Found(inputs(options, used, rejections, Optional.empty()));
                })
                .orElseGet(() -> new Lookup.Missing("there is no claim " + ref));
    }

    private Optional<ResourceClaim> find(ObjectRef ref) {
        return claims.stream().filter(claim -> claim.ref().equals(ref)).findFirst();
    }

    private ExplainInputs inputs(
            ExplainOptions options,
            List<ResourceClaim> used,
            Map<String, List<Rejection>> rejections,
            Optional<ExtendedResourceDemand> extended) {
        var own = new HashSet<ObjectRef>();
        used.forEach(claim -> own.add(claim.ref()));
        return new ExplainInputs(
                options.features(),
                nodes,
                rejections,
                classes,
                slices(options, _ -> true),
                claims.stream().filter(c -> c.status().allocation().isPresent()).toList(),
                own,
                used.stream().filter(c -> c.status().allocation().isEmpty()).toList(),
                extended);
    }

    /// The slices of the selected pools, with the taints of DeviceTaintRules added.
    public List<ResourceSlice> slices(ExplainOptions options, Predicate<PoolId> pools) {
        var hasTaints = options.features().contains(AllocatorFeature.DEVICE_TAINTS);
        return slices.stream()
                .filter(slice -> pools.test(slice.poolId()))
                .map(slice -> hasTaints ? TaintRules.apply(slice, taintRules) : slice)
                .toList();
    }
}
