package dev.berth.core.explain;

import dev.berth.core.allocate.AllocatorFeature;
import dev.berth.core.place.ClusterContext;
import dev.berth.core.place.ClusterUsage;
import dev.berth.core.place.ExtendedResourceClaim;
import dev.berth.core.place.ExtendedResources;
import dev.berth.core.place.Rejection;
import dev.berth.core.taint.TaintRules;
import dev.berth.model.api.DeviceClass;
import dev.berth.model.api.DeviceTaintRule;
import dev.berth.model.api.Node;
import dev.berth.model.api.ObjectMeta;
import dev.berth.model.api.ObjectRef;
import dev.berth.model.api.Pod;
import dev.berth.model.api.PodClaimSource;
import dev.berth.model.api.PodResourceClaim;
import dev.berth.model.api.PoolId;
import dev.berth.model.api.ResourceClaim;
import dev.berth.model.api.ResourceClaimStatus;
import dev.berth.model.api.ResourceClaimTemplate;
import dev.berth.model.api.ResourceSlice;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/// A cluster as far as devices and places for pods matter, to ask about one pod or claim in it.
///
/// @param pods among them the one that is asked about
/// @param surroundings storage and namespaces
/// @param occupancy where pods are, and who holds what
/// @param assumed pods that are on their nodes only as far as a scheduler assumes
public record ClusterObjects(
        List<Node> nodes,
        List<DeviceClass> classes,
        List<ResourceSlice> slices,
        List<DeviceTaintRule> taintRules,
        List<ResourceClaim> claims,
        List<ResourceClaimTemplate> templates,
        List<Pod> pods,
        ClusterContext surroundings,
        ClusterUsage occupancy,
        Set<ObjectRef> assumed) {

    /// A cluster in which these are all pods.
    public ClusterObjects(
            List<Node> nodes,
            List<DeviceClass> classes,
            List<ResourceSlice> slices,
            List<DeviceTaintRule> taintRules,
            List<ResourceClaim> claims,
            List<ResourceClaimTemplate> templates,
            List<Pod> pods,
            ClusterContext surroundings) {
        this(
                nodes,
                classes,
                slices,
                taintRules,
                claims,
                templates,
                pods,
                surroundings,
                ClusterUsage.of(pods, claims),
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

    /// What came of looking for a pod or claim.
    public sealed interface Lookup {
        record Found(ExplainInputs situation) implements Lookup {}

        /// There is no such object, or one that it needs is missing.
        record Missing(String reason) implements Lookup {}
    }

    /// The situation of a pod; claims of templates that were not made yet are made up.
    public Lookup ofPod(EvaluationSettings terms, ObjectRef ref) {
        var pod = pods.stream().filter(p -> p.ref().equals(ref)).findFirst();
        if (pod.isEmpty()) {
            return new Lookup.Missing("there is no pod " + ref);
        }
        var used = new ArrayList<ResourceClaim>();
        for (var entry : pod.get().spec().resourceClaims()) {
            switch (claimOf(pod.get(), entry)) {
                case Claimed(var claim) -> used.add(claim);
                case Unneeded _ -> {}
                case Absent(var reason) -> {
                    return new Lookup.Missing(reason);
                }
            }
        }
        var demand = extended(pod.get(), used);
        var bars = new NodeRejections(this, terms, used);
        return new Lookup.Found(situation(terms, used, bars.of(pod.get()), demand));
    }

    /// Adds the claim that stands for resources of the pod: the one that it has, or the one that
    /// would be made.
    private Optional<ExtendedResourceDemand> extended(Pod pod, List<ResourceClaim> used) {
        var status = pod.status().extendedResourceClaimStatus();
        var stored =
                status.flatMap(one ->
                        find(new ObjectRef(pod.metadata().namespace(), one.resourceClaimName())));
        if (stored.isPresent()) {
            used.add(stored.get());
            return Optional.of(
                    new ExtendedResourceDemand(
                            stored.get().ref(), status.get().requestMappings(), Map.of()));
        }
        if (!pod.spec().nodeName().isEmpty()) {
            // It runs, so that something else serves its resources.
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
        var asked = resources.of(pod).keySet();
        var offered = new HashMap<String, Set<String>>();
        for (var node : nodes) {
            var asDevices = ExtendedResources.asDevices(asked, node);
            for (var mapping : made.mappings()) {
                if (!asDevices.contains(mapping.resourceName())) {
                    offered.computeIfAbsent(node.name(), _ -> new HashSet<>())
                            .add(mapping.requestName());
                }
            }
        }
        return offered;
    }

    /// The situation of a claim, as if a pod used it alone.
    public Lookup ofClaim(EvaluationSettings terms, ObjectRef ref) {
        return find(ref)
                .<Lookup>map(claim -> {
                    var used = List.of(claim);
                    var barred = new NodeRejections(this, terms, used).ofClaims();
                    return new Lookup.Found(situation(terms, used, barred, Optional.empty()));
                })
                .orElseGet(() -> new Lookup.Missing("there is no claim " + ref));
    }

    private Optional<ResourceClaim> find(ObjectRef ref) {
        return claims.stream().filter(claim -> claim.ref().equals(ref)).findFirst();
    }

    private sealed interface Source {}

    private record Claimed(ResourceClaim claim) implements Source {}

    private record Unneeded() implements Source {}

    private record Absent(String reason) implements Source {}

    private Source claimOf(Pod pod, PodResourceClaim entry) {
        return switch (entry.source()) {
            case PodClaimSource.ClaimName(var name) -> named(pod, name);
            case PodClaimSource.TemplateName(var template) ->
                    pod.status().resourceClaimStatuses().stream()
                            .filter(status -> status.name().equals(entry.name()))
                            .findFirst()
                            .map(status ->
                                    status.resourceClaimName()
                                            .map(name -> named(pod, name))
                                            .orElseGet(Unneeded::new))
                            .orElseGet(() -> made(pod, entry, template));
            case PodClaimSource.Unrecognised _ ->
                    new Absent(
                            "pod %s, claim %s: none of the supported fields are set"
                                    .formatted(pod.ref(), entry.name()));
        };
    }

    private Source named(Pod pod, String name) {
        var ref = new ObjectRef(pod.metadata().namespace(), name);
        return find(ref)
                .<Source>map(Claimed::new)
                .orElseGet(() -> new Absent("could not find ResourceClaim \"" + ref + "\""));
    }

    private Source made(Pod pod, PodResourceClaim entry, String template) {
        var namespace = pod.metadata().namespace();
        var ref = new ObjectRef(namespace, template);
        return templates.stream()
                .filter(t -> t.ref().equals(ref))
                .findFirst()
                .<Source>map(t ->
                        new Claimed(
                                new ResourceClaim(
                                        ObjectMeta.of(
                                                namespace,
                                                pod.metadata().name() + "-" + entry.name()),
                                        t.spec().spec(),
                                        ResourceClaimStatus.EMPTY)))
                .orElseGet(() -> new Absent("there is no ResourceClaimTemplate " + ref));
    }

    private ExplainInputs situation(
            EvaluationSettings terms,
            List<ResourceClaim> used,
            Map<String, List<Rejection>> barred,
            Optional<ExtendedResourceDemand> extended) {
        var own = new HashSet<ObjectRef>();
        used.forEach(claim -> own.add(claim.ref()));
        return new ExplainInputs(
                terms.features(),
                nodes,
                barred,
                classes,
                slices(terms, _ -> true),
                claims.stream().filter(c -> c.status().allocation().isPresent()).toList(),
                own,
                used.stream().filter(c -> c.status().allocation().isEmpty()).toList(),
                extended);
    }

    /// The slices of some pools, with all taints that count.
    List<ResourceSlice> slices(EvaluationSettings terms, Predicate<PoolId> pools) {
        var hasTaints = terms.features().contains(AllocatorFeature.DEVICE_TAINTS);
        return slices.stream()
                .filter(slice -> pools.test(slice.poolId()))
                .map(slice -> hasTaints ? TaintRules.apply(slice, taintRules) : slice)
                .toList();
    }
}
