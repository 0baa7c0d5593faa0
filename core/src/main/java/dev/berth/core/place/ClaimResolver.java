package dev.berth.core.place;

import dev.berth.core.snapshot.GeneratedNames;
import dev.berth.model.api.claim.ConsumerReference;
import dev.berth.model.api.claim.ResourceClaim;
import dev.berth.model.api.claim.ResourceClaimStatus;
import dev.berth.model.api.claim.ResourceClaimTemplate;
import dev.berth.model.api.meta.ObjectMeta;
import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.api.meta.OwnerReference;
import dev.berth.model.api.pod.Pod;
import dev.berth.model.api.pod.PodClaimReferences;
import dev.berth.model.api.pod.PodClaimReferences.Resolution;
import dev.berth.model.api.pod.PodGroup;
import dev.berth.model.api.pod.PodResourceClaim;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/// Resolves a pod and its claims to a placement request, for the scheduler, plans and explanations.
/// The messages about missing and unusable claims are those of kube-scheduler.
public final class ClaimResolver {

    /// The treatment of claims that the resource claim controller creates from templates.
    public sealed interface GeneratedClaims {

        /// A live cluster: a pod is blocked until the controller has created its claims, and the
        /// pod or its group must own them.
        record Awaited() implements GeneratedClaims {}

        /// Objects without a running controller: a claim that was not created yet is instantiated
        /// from its template. Owners are not checked, since manifests have no UIDs.
        record Instantiated(Map<ObjectRef, ResourceClaimTemplate> templates)
                implements GeneratedClaims {
            public Instantiated {
                templates = Map.copyOf(templates);
            }

            public static Instantiated from(Collection<ResourceClaimTemplate> templates) {
                var byRef = new HashMap<ObjectRef, ResourceClaimTemplate>();
                templates.forEach(template -> byRef.put(template.ref(), template));
                return new Instantiated(byRef);
            }
        }
    }

    private final Function<ObjectRef, Optional<ResourceClaim>> claims;
    private final Function<ObjectRef, Optional<PodGroup>> groups;
    private final boolean groupsOwnClaims;
    private final GeneratedClaims generated;

    private ClaimResolver(
            Function<ObjectRef, Optional<ResourceClaim>> claims,
            Function<ObjectRef, Optional<PodGroup>> groups,
            boolean groupsOwnClaims,
            GeneratedClaims generated) {
        this.claims = claims;
        this.groups = groups;
        this.groupsOwnClaims = groupsOwnClaims;
        this.generated = generated;
    }

    /// A resolver for a live cluster.
    ///
    /// @param groupsOwnClaims whether pods may use claims of their PodGroup
    public static ClaimResolver awaiting(
            Function<ObjectRef, Optional<ResourceClaim>> claims,
            Function<ObjectRef, Optional<PodGroup>> groups,
            boolean groupsOwnClaims) {
        return new ClaimResolver(claims, groups, groupsOwnClaims, new GeneratedClaims.Awaited());
    }

    /// A resolver for plans and explanations: claims of pod groups count as claims of the pods.
    public static ClaimResolver instantiating(
            Function<ObjectRef, Optional<ResourceClaim>> claims,
            GeneratedClaims.Instantiated generated) {
        return new ClaimResolver(claims, _ -> Optional.empty(), false, generated);
    }

    /// The request of a pod with its claims, each one once and in the order of the pod; or why the
    /// pod has to wait.
    public PreFilterResult resolve(Pod pod) {
        var found = new ArrayList<ResourceClaim>();
        for (var entry : pod.spec().resourceClaims()) {
            switch (find(pod, entry)) {
                case Entry.Found(var claim) -> {
                    if (found.stream().noneMatch(known -> known.ref().equals(claim.ref()))) {
                        found.add(claim);
                    }
                }
                case Entry.Skipped _ -> {}
                case Entry.Unusable(var reason) -> {
                    return new PreFilterResult.Blocked(reason);
                }
            }
        }
        return groupClaims(pod)
                .<PreFilterResult>map(
                        ofGroup -> new PreFilterResult.Ready(request(pod, found, ofGroup)))
                .orElseGet(() ->
                        new PreFilterResult.Blocked(
                                "pod \"%s\": PodGroup \"%s\" not created yet"
                                        .formatted(
                                                pod.ref(), pod.spec().podGroupName().orElse(""))));
    }

    private static PlacementRequest request(
            Pod pod, List<ResourceClaim> claims, Map<ObjectRef, ConsumerReference> ofGroup) {
        var allocated = new ArrayList<ResourceClaim>();
        var toAllocate = new ArrayList<ResourceClaim>();
        for (var claim : claims) {
            (claim.status().allocation().isPresent() ? allocated : toAllocate).add(claim);
        }
        return new PlacementRequest(pod, allocated, toAllocate, ofGroup);
    }

    /// The result for one entry of the pod.
    private sealed interface Entry {

        record Found(ResourceClaim claim) implements Entry {}

        record Skipped() implements Entry {}

        record Unusable(String reason) implements Entry {}
    }

    private Entry find(Pod pod, PodResourceClaim entry) {
        return switch (PodClaimReferences.resolve(pod, entry)) {
            case Resolution.Named(var claim, var isGenerated) -> existing(pod, claim, isGenerated);
            case Resolution.NotCreated(var template) -> notCreated(pod, entry, template);
            case Resolution.NotNeeded _ -> new Entry.Skipped();
            case Resolution.Unsupported _ ->
                    new Entry.Unusable(
                            ("pod \"%s\", spec.resourceClaim %s: none of the supported fields are"
                                            + " set")
                                    .formatted(pod.ref(), entry.name()));
        };
    }

    private Entry existing(Pod pod, ObjectRef ref, boolean isGenerated) {
        var claim = claims.apply(ref);
        if (claim.isEmpty()) {
            return new Entry.Unusable("could not find ResourceClaim \"%s\"".formatted(ref));
        }
        // A bound pod, which can be explained, keeps its claims.
        if (claim.get().metadata().isDeleting() && pod.spec().nodeName().isEmpty()) {
            return new Entry.Unusable(
                    "resourceclaim \"%s\" is being deleted".formatted(ref.name()));
        }
        if (isGenerated
                && generated instanceof GeneratedClaims.Awaited
                && !isOwnedBy(pod, claim.get())) {
            return new Entry.Unusable(
                    "ResourceClaim %s was not created for Pod %s (Pod is not owner)"
                            .formatted(ref, pod.ref()));
        }
        return new Entry.Found(claim.get());
    }

    private boolean isOwnedBy(Pod pod, ResourceClaim claim) {
        var owner = claim.metadata().controller();
        return owner.filter(o -> o.uid().equals(pod.metadata().uid())).isPresent()
                || (groupsOwnClaims && claim.isOfGroupOf(pod));
    }

    private Entry notCreated(Pod pod, PodResourceClaim entry, ObjectRef ref) {
        return switch (generated) {
            case GeneratedClaims.Awaited _ ->
                    new Entry.Unusable(
                            "pod \"%s\": ResourceClaim not created yet".formatted(pod.ref()));
            case GeneratedClaims.Instantiated(var templates) -> {
                var template = templates.get(ref);
                yield template == null
                        ? new Entry.Unusable(
                                "could not find ResourceClaimTemplate \"%s\"".formatted(ref))
                        : new Entry.Found(instantiate(pod, entry.name(), template));
            }
        };
    }

    /// The claim that the resource claim controller would create.
    private static ResourceClaim instantiate(
            Pod pod, String entry, ResourceClaimTemplate template) {
        var prefix = pod.metadata().name() + "-" + entry + "-";
        var owner =
                OwnerReference.controller("v1", "Pod", pod.metadata().name(), pod.metadata().uid());
        var templateMetadata = template.spec().metadata();
        var metadata =
                ObjectMeta.of(pod.metadata().namespace(), GeneratedNames.of(prefix, pod, entry))
                        .withGenerateName(prefix)
                        .withLabels(templateMetadata.labels())
                        .withAnnotations(templateMetadata.annotations())
                        .withOwnerReferences(List.of(owner));
        return new ResourceClaim(metadata, template.spec().spec(), ResourceClaimStatus.EMPTY);
    }

    /// The claims that are reserved for the pod's group; empty when the group does not exist.
    private Optional<Map<ObjectRef, ConsumerReference>> groupClaims(Pod pod) {
        var name = pod.spec().podGroupName();
        if (!groupsOwnClaims || name.isEmpty() || pod.spec().resourceClaims().isEmpty()) {
            return Optional.of(Map.of());
        }
        return groups.apply(new ObjectRef(pod.metadata().namespace(), name.get()))
                .map(group -> groupClaims(pod, group));
    }

    private static Map<ObjectRef, ConsumerReference> groupClaims(Pod pod, PodGroup group) {
        var consumer = ConsumerReference.podGroup(group.metadata().name(), group.metadata().uid());
        var consumers = new HashMap<ObjectRef, ConsumerReference>();
        for (var entry : pod.spec().resourceClaims()) {
            // An entry that equals one of the group belongs to the group.
            if (group.resourceClaims().contains(entry)
                    && PodClaimReferences.resolve(pod, entry)
                            instanceof Resolution.Named(var claim, _)) {
                consumers.put(claim, consumer);
            }
        }
        return consumers;
    }
}
