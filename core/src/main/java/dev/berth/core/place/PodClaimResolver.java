package dev.berth.core.place;

import dev.berth.core.snapshot.ClusterUsage;
import dev.berth.core.snapshot.GeneratedNames;
import dev.berth.model.api.DeviceDemand;
import dev.berth.model.api.DeviceRequest;
import dev.berth.model.api.ObjectMeta;
import dev.berth.model.api.ObjectRef;
import dev.berth.model.api.OwnerReference;
import dev.berth.model.api.Pod;
import dev.berth.model.api.PodClaimSource;
import dev.berth.model.api.PodResourceClaim;
import dev.berth.model.api.ResourceClaim;
import dev.berth.model.api.ResourceClaimStatus;
import dev.berth.model.api.ResourceClaimTemplate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Resolves the claims of a pod, and instantiates templates whose claims do not exist yet.
public final class PodClaimResolver {

    /// Limit of `reservedFor` in the API.
    private static final int MAX_USERS = 256;

    private final Map<ObjectRef, ResourceClaimTemplate> templates;
    private final Set<String> classes;

    /// A resolver for a cluster with these templates and classes.
    ///
    /// @param classes names of the existing device classes
    public PodClaimResolver(Map<ObjectRef, ResourceClaimTemplate> templates, Set<String> classes) {
        this.templates = Map.copyOf(templates);
        this.classes = Set.copyOf(classes);
    }

    /// Resolves a pod to a placement request.
    public PreFilterResult resolve(Pod pod, ClusterUsage state) {
        if (!pod.spec().schedulingGates().isEmpty()) {
            return new PreFilterResult.Blocked(
                    "Scheduling is blocked due to non-empty scheduling gates "
                            + pod.spec().schedulingGates());
        }
        var allocated = new ArrayList<ResourceClaim>();
        var toAllocate = new ArrayList<ResourceClaim>();
        for (var entry : pod.spec().resourceClaims()) {
            switch (find(pod, entry, state)) {
                case Resolution.Found(var claim) -> {
                    var problem = problem(claim, pod);
                    if (problem.isPresent()) {
                        return new PreFilterResult.Blocked(problem.get());
                    }
                    var isKnown = allocated.contains(claim) || toAllocate.contains(claim);
                    if (!isKnown) {
                        (claim.status().allocation().isPresent() ? allocated : toAllocate)
                                .add(claim);
                    }
                }
                case Resolution.NotNeeded _ -> {}
                case Resolution.Missing(var reason) -> {
                    return new PreFilterResult.Blocked(reason);
                }
            }
        }
        return new PreFilterResult.Ready(new PlacementRequest(pod, allocated, toAllocate));
    }

    private sealed interface Resolution {
        record Found(ResourceClaim claim) implements Resolution {}

        record NotNeeded() implements Resolution {}

        record Missing(String reason) implements Resolution {}
    }

    private Resolution find(Pod pod, PodResourceClaim entry, ClusterUsage state) {
        return switch (entry.source()) {
            case PodClaimSource.ClaimName(var name) -> existing(pod, name, state);
            case PodClaimSource.TemplateName(var name) -> {
                var made =
                        pod.status().resourceClaimStatuses().stream()
                                .filter(status -> status.name().equals(entry.name()))
                                .findFirst();
                yield made.isEmpty()
                        ? fromTemplate(pod, entry.name(), name)
                        : made.get()
                                .resourceClaimName()
                                .map(claim -> existing(pod, claim, state))
                                .orElseGet(Resolution.NotNeeded::new);
            }
            case PodClaimSource.Unrecognised _ ->
                    new Resolution.Missing(
                            "pod %s, claim %s: none of the supported fields are set"
                                    .formatted(pod.ref(), entry.name()));
        };
    }

    private static Resolution existing(Pod pod, String name, ClusterUsage state) {
        var ref = new ObjectRef(pod.metadata().namespace(), name);
        return state.claim(ref)
                .<Resolution>map(Resolution.Found::new)
                .orElseGet(() ->
                        new Resolution.Missing(
                                "could not find ResourceClaim \"%s\"".formatted(ref)));
    }

    private Resolution fromTemplate(Pod pod, String entry, String name) {
        var ref = new ObjectRef(pod.metadata().namespace(), name);
        var template = templates.get(ref);
        return template == null
                ? new Resolution.Missing(
                        "could not find ResourceClaimTemplate \"%s\"".formatted(ref))
                : new Resolution.Found(make(pod, entry, template));
    }

    /// The claim that the resource claim controller would create.
    private static ResourceClaim make(Pod pod, String entry, ResourceClaimTemplate template) {
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

    private Optional<String> problem(ResourceClaim claim, Pod pod) {
        if (claim.metadata().isDeleting()) {
            return Optional.of(
                    "resourceclaim \"%s\" is being deleted".formatted(claim.metadata().name()));
        }
        var users = claim.status().reservedFor();
        var isUser =
                claim.isReservedFor(pod)
                        || users.stream()
                                .anyMatch(user -> user.name().equals(pod.metadata().name()));
        if (users.size() >= MAX_USERS && !isUser) {
            return Optional.of(
                    "claim %s is reserved for %d pods, which is the maximum"
                            .formatted(claim.ref(), users.size()));
        }
        return claim.status().allocation().isPresent() ? Optional.empty() : missingClass(claim);
    }

    private Optional<String> missingClass(ResourceClaim claim) {
        for (var request : claim.spec().requests()) {
            switch (request) {
                case DeviceRequest.Exactly exactly -> {
                    if (isMissing(exactly.demand())) {
                        return Optional.of(missing(exactly.name(), exactly.demand()));
                    }
                }
                case DeviceRequest.FirstAvailable first -> {
                    for (var one : first.alternatives()) {
                        if (isMissing(one.demand())) {
                            var name = first.name() + "/" + one.name();
                            return Optional.of(missing(name, one.demand()));
                        }
                    }
                }
                case DeviceRequest.Unrecognised other -> {
                    return Optional.of("request %s: unknown request type".formatted(other.name()));
                }
            }
        }
        return Optional.empty();
    }

    private boolean isMissing(DeviceDemand demand) {
        return !classes.contains(demand.deviceClassName());
    }

    private static String missing(String request, DeviceDemand demand) {
        return "request %s: device class %s does not exist"
                .formatted(request, demand.deviceClassName());
    }
}
