package dev.berth.core.explain;

import dev.berth.core.allocate.AllocatorFeature;
import dev.berth.core.inventory.NodeSelectors;
import dev.berth.core.taint.TaintRules;
import dev.berth.model.api.DeviceClass;
import dev.berth.model.api.DeviceTaintRule;
import dev.berth.model.api.Node;
import dev.berth.model.api.ObjectMeta;
import dev.berth.model.api.ObjectRef;
import dev.berth.model.api.Pod;
import dev.berth.model.api.PodClaimSource;
import dev.berth.model.api.PodResourceClaim;
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

/// A cluster as far as its devices matter, to ask about one pod or claim in it.
public record ClusterObjects(
        List<Node> nodes,
        List<DeviceClass> classes,
        List<ResourceSlice> slices,
        List<DeviceTaintRule> taintRules,
        List<ResourceClaim> claims,
        List<ResourceClaimTemplate> templates,
        List<Pod> pods) {

    public ClusterObjects {
        nodes = List.copyOf(nodes);
        classes = List.copyOf(classes);
        slices = List.copyOf(slices);
        taintRules = List.copyOf(taintRules);
        claims = List.copyOf(claims);
        templates = List.copyOf(templates);
        pods = List.copyOf(pods);
    }

    /// What came of looking for a pod or claim.
    public sealed interface Lookup {
        record Found(Situation situation) implements Lookup {}

        /// There is no such object, or one that it needs is missing.
        record Missing(String reason) implements Lookup {}
    }

    /// The situation of a pod; claims of templates that were not made yet are made up.
    public Lookup ofPod(Set<AllocatorFeature> features, ObjectRef ref) {
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
        return new Lookup.Found(situation(features, used, Optional.of(pod.get())));
    }

    /// The situation of a claim, as if a pod used it alone.
    public Lookup ofClaim(Set<AllocatorFeature> features, ObjectRef ref) {
        return claims.stream()
                .filter(c -> c.ref().equals(ref))
                .findFirst()
                .<Lookup>map(claim ->
                        new Lookup.Found(situation(features, List.of(claim), Optional.empty())))
                .orElseGet(() -> new Lookup.Missing("there is no claim " + ref));
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
        return claims.stream()
                .filter(claim -> claim.ref().equals(ref))
                .findFirst()
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

    private Situation situation(
            Set<AllocatorFeature> features, List<ResourceClaim> used, Optional<Pod> pod) {
        var own = new HashSet<ObjectRef>();
        used.forEach(claim -> own.add(claim.ref()));
        return new Situation(
                features,
                nodes,
                barred(used, pod),
                classes,
                features.contains(AllocatorFeature.DEVICE_TAINTS) ? tainted() : slices,
                claims.stream().filter(c -> c.status().allocation().isPresent()).toList(),
                own,
                used.stream().filter(c -> c.status().allocation().isEmpty()).toList());
    }

    private Map<String, String> barred(List<ResourceClaim> used, Optional<Pod> pod) {
        var barred = new HashMap<String, String>();
        for (var node : nodes) {
            pod.flatMap(p -> PodPlacement.obstacle(p, node))
                    .or(() -> pinnedElsewhere(used, node))
                    .ifPresent(why -> barred.put(node.name(), why));
        }
        return barred;
    }

    private static Optional<String> pinnedElsewhere(List<ResourceClaim> used, Node node) {
        for (var claim : used) {
            var selector = claim.status().allocation().flatMap(a -> a.nodeSelector());
            if (selector.isPresent() && !NodeSelectors.matches(selector.get(), node)) {
                return Optional.of(
                        "claim %s has devices that it cannot reach".formatted(claim.ref()));
            }
        }
        return Optional.empty();
    }

    private List<ResourceSlice> tainted() {
        return slices.stream().map(slice -> TaintRules.over(slice, taintRules)).toList();
    }
}
