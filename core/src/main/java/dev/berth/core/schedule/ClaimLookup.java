package dev.berth.core.schedule;

import dev.berth.model.api.ConsumerReference;
import dev.berth.model.api.ObjectRef;
import dev.berth.model.api.Pod;
import dev.berth.model.api.PodClaimSource;
import dev.berth.model.api.PodGroup;
import dev.berth.model.api.PodResourceClaim;
import dev.berth.model.api.ResourceClaim;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/// Resolves the claims of a pod in a live cluster, where the resource claim controller instantiates
/// templates. The messages are those of kube-scheduler.
public final class ClaimLookup {

    private final Function<ObjectRef, Optional<ResourceClaim>> claims;
    private final Function<ObjectRef, Optional<PodGroup>> groups;
    private final boolean groupsOwnClaims;

    /// A lookup in these claims and groups.
    ///
    /// @param groupsOwnClaims whether pods may use claims of their PodGroup
    public ClaimLookup(
            Function<ObjectRef, Optional<ResourceClaim>> claims,
            Function<ObjectRef, Optional<PodGroup>> groups,
            boolean groupsOwnClaims) {
        this.claims = claims;
        this.groups = groups;
        this.groupsOwnClaims = groupsOwnClaims;
    }

    /// Result of a lookup.
    public sealed interface Result {

        /// All claims of the pod, without duplicates, in its order.
        ///
        /// @param groupClaims claims that are reserved for the pod's group, with that group
        record Found(List<ResourceClaim> claims, Map<ObjectRef, ConsumerReference> groupClaims)
                implements Result {
            public Found {
                claims = List.copyOf(claims);
                groupClaims = Map.copyOf(groupClaims);
            }
        }

        /// A claim or group does not exist yet.
        record Missing(String reason) implements Result {}
    }

    public Result of(Pod pod) {
        var found = new ArrayList<ResourceClaim>();
        for (var entry : pod.spec().resourceClaims()) {
            var problem = Optional.<String>empty();
            switch (entry.source()) {
                case PodClaimSource.ClaimName(var name) -> problem = add(pod, name, false, found);
                case PodClaimSource.TemplateName _ -> {
                    var fromTemplate = status(pod, entry);
                    if (fromTemplate.isEmpty()) {
                        problem =
                                Optional.of(
                                        "pod \"%s\": ResourceClaim not created yet"
                                                .formatted(pod.ref()));
                    } else if (fromTemplate.get().isPresent()) {
                        problem = add(pod, fromTemplate.get().get(), true, found);
                    }
                }
                case PodClaimSource.Unrecognised _ ->
                        problem =
                                Optional.of(
                                        ("pod \"%s\", spec.resourceClaim %s: none of the supported"
                                                        + " fields are set")
                                                .formatted(pod.ref(), entry.name()));
            }
            if (problem.isPresent()) {
                return new Result.Missing(problem.get());
            }
        }
        return groupClaims(pod)
                .<Result>map(groupClaims -> new Result.Found(found, groupClaims))
                .orElseGet(() ->
                        new Result.Missing(
                                "pod \"%s\": PodGroup \"%s\" not created yet"
                                        .formatted(
                                                pod.ref(), pod.spec().podGroupName().orElse(""))));
    }

    /// The claims that are reserved for the pod's group; empty when the group does not exist.
    private Optional<Map<ObjectRef, ConsumerReference>> groupClaims(Pod pod) {
        var namespace = pod.metadata().namespace();
        var name = pod.spec().podGroupName();
        if (!groupsOwnClaims || name.isEmpty() || pod.spec().resourceClaims().isEmpty()) {
            return Optional.of(Map.of());
        }
        return groups.apply(new ObjectRef(namespace, name.get()))
                .map(group -> {
                    var user = ConsumerReference.podGroup(name.get(), group.metadata().uid());
                    var claimConsumers = new HashMap<ObjectRef, ConsumerReference>();
                    for (var entry : pod.spec().resourceClaims()) {
                        // An entry that equals one of the group belongs to the group.
                        if (group.resourceClaims().contains(entry)) {
                            claimName(pod, entry)
                                    .ifPresent(claim ->
                                            claimConsumers.put(
                                                    new ObjectRef(namespace, claim), user));
                        }
                    }
                    return claimConsumers;
                });
    }

    /// The pod's status of an entry: absent, no claim needed, or the claim name.
    private static Optional<Optional<String>> status(Pod pod, PodResourceClaim entry) {
        for (var status : pod.status().resourceClaimStatuses()) {
            if (status.name().equals(entry.name())) {
                return Optional.of(status.resourceClaimName());
            }
        }
        return Optional.empty();
    }

    private Optional<String> add(
            Pod pod, String name, boolean isFromTemplate, List<ResourceClaim> found) {
        var ref = new ObjectRef(pod.metadata().namespace(), name);
        if (found.stream().anyMatch(known -> known.ref().equals(ref))) {
            return Optional.empty();
        }
        var claim = claims.apply(ref);
        if (claim.isEmpty()) {
            return Optional.of("could not find ResourceClaim \"%s\"".formatted(ref));
        }
        if (claim.get().metadata().isDeleting()) {
            return Optional.of("resourceclaim \"%s\" is being deleted".formatted(name));
        }
        if (isFromTemplate && !isOwnedBy(pod, claim.get())) {
            return Optional.of(
                    "ResourceClaim %s was not created for Pod %s (Pod is not owner)"
                            .formatted(ref, pod.ref()));
        }
        found.add(claim.get());
        return Optional.empty();
    }

    private boolean isOwnedBy(Pod pod, ResourceClaim claim) {
        var owner = claim.metadata().controller();
        return owner.filter(o -> o.uid().equals(pod.metadata().uid())).isPresent()
                || (groupsOwnClaims && claim.isOfGroupOf(pod));
    }

    /// The known names of all claims of a pod, whether they exist or not.
    public static List<ObjectRef> names(Pod pod) {
        var names = new ArrayList<ObjectRef>();
        for (var entry : pod.spec().resourceClaims()) {
            claimName(pod, entry)
                    .ifPresent(n -> names.add(new ObjectRef(pod.metadata().namespace(), n)));
        }
        return names;
    }

    private static Optional<String> claimName(Pod pod, PodResourceClaim entry) {
        return entry.source() instanceof PodClaimSource.ClaimName(var direct)
                ? Optional.of(direct)
                : status(pod, entry).flatMap(fromTemplate -> fromTemplate);
    }
}
