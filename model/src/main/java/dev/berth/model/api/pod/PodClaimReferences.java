package dev.berth.model.api.pod;

import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.api.pod.ExtendedResourceClaimStatus.RequestMapping;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// References of a pod to ResourceClaims: the entries of `spec.resourceClaims`, resolved by the
/// pod's status, and the claim of its extended resources.
///
/// The rules are those of Kubernetes: an entry names a claim, or it names a template and the
/// resource claim controller writes the name of the claim into `status.resourceClaimStatuses`.
public final class PodClaimReferences {

    private PodClaimReferences() {}

    /// Result of resolving one entry of `spec.resourceClaims`.
    public sealed interface Resolution {

        /// A claim with a known name; whether it exists is not known.
        ///
        /// @param isGenerated whether it was created from a template for the pod or for its group
        record Named(ObjectRef claim, boolean isGenerated) implements Resolution {}

        /// The resource claim controller has not created a claim from the template yet.
        record NotCreated(ObjectRef template) implements Resolution {}

        /// The resource claim controller determined that the entry needs no claim.
        record NotNeeded() implements Resolution {}

        /// The source of the entry is neither a claim nor a template.
        record Unsupported() implements Resolution {}
    }

    /// Resolves an entry of the pod.
    public static Resolution resolve(Pod pod, PodResourceClaim entry) {
        return switch (entry.source()) {
            case PodClaimSource.ClaimName(var name) ->
                    new Resolution.Named(inNamespace(pod, name), false);
            case PodClaimSource.TemplateName(var template) -> generated(pod, entry, template);
            case PodClaimSource.Unrecognised _ -> new Resolution.Unsupported();
        };
    }

    private static Resolution generated(Pod pod, PodResourceClaim entry, String template) {
        for (var status : pod.status().resourceClaimStatuses()) {
            if (status.name().equals(entry.name())) {
                return status.resourceClaimName()
                        .<Resolution>map(name -> new Resolution.Named(inNamespace(pod, name), true))
                        .orElseGet(Resolution.NotNeeded::new);
            }
        }
        return new Resolution.NotCreated(inNamespace(pod, template));
    }

    private static ObjectRef inNamespace(Pod pod, String name) {
        return new ObjectRef(pod.metadata().namespace(), name);
    }

    /// The template from which the claim of an entry is created; empty for other entries.
    public static Optional<ObjectRef> template(Pod pod, PodResourceClaim entry) {
        return entry.source() instanceof PodClaimSource.TemplateName(var name)
                ? Optional.of(new ObjectRef(pod.metadata().namespace(), name))
                : Optional.empty();
    }

    /// The claim of the entry with this name, by which containers refer to it; empty when there is
    /// no such entry or its claim has no name yet.
    public static Optional<ObjectRef> find(Pod pod, String entryName) {
        for (var entry : pod.spec().resourceClaims()) {
            if (entry.name().equals(entryName)) {
                return resolve(pod, entry) instanceof Resolution.Named(var claim, _)
                        ? Optional.of(claim)
                        : Optional.empty();
            }
        }
        return Optional.empty();
    }

    /// The claims of all entries whose names are known, in the order of the entries, without
    /// duplicates.
    public static List<ObjectRef> ofEntries(Pod pod) {
        var claims = new ArrayList<ObjectRef>();
        for (var entry : pod.spec().resourceClaims()) {
            if (resolve(pod, entry) instanceof Resolution.Named(var claim, _)
                    && !claims.contains(claim)) {
                claims.add(claim);
            }
        }
        return claims;
    }

    /// The claim that the scheduler created for the extended resources of the pod.
    public static Optional<ObjectRef> ofExtendedResources(Pod pod) {
        return pod.status()
                .extendedResourceClaimStatus()
                .map(status -> inNamespace(pod, status.resourceClaimName()));
    }

    /// The requests of [#ofExtendedResources] that serve the extended resources of containers.
    public static List<RequestMapping> extendedResourceMappings(Pod pod) {
        return pod.status()
                .extendedResourceClaimStatus()
                .map(ExtendedResourceClaimStatus::requestMappings)
                .orElse(List.of());
    }

    /// All claims of the pod whose names are known: those of its entries, then the one of its
    /// extended resources.
    public static List<ObjectRef> all(Pod pod) {
        var claims = ofEntries(pod);
        ofExtendedResources(pod).filter(claim -> !claims.contains(claim)).ifPresent(claims::add);
        return claims;
    }
}
