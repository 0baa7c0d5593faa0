package dev.berth.node.agent;

import dev.berth.model.api.Pod;
import dev.berth.model.api.PodClaimSource;
import dev.berth.model.api.PodResourceClaim;
import dev.berth.model.api.PodResourceClaimStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Names of the ResourceClaims that a pod uses.
sealed interface PodClaimNames {

    /// All claims have been created.
    ///
    /// @param generated claims created for the pod, which it must own
    record Resolved(List<String> all, List<String> generated) implements PodClaimNames {
        public Resolved {
            all = List.copyOf(all);
            generated = List.copyOf(generated);
        }
    }

    /// A claim has not been created yet.
    record Unresolved(String reason) implements PodClaimNames {}

    static PodClaimNames of(Pod pod) {
        var all = new ArrayList<String>();
        var generated = new ArrayList<String>();
        for (var claim : pod.spec().resourceClaims()) {
            switch (claim.source()) {
                case PodClaimSource.ClaimName(var name) -> all.add(name);
                case PodClaimSource.Unrecognised _ -> {
                    return new Unresolved(
                            "claim %s of the pod has an unknown source".formatted(claim.name()));
                }
                case PodClaimSource.TemplateName _ -> {
                    var generatedClaim = generatedClaim(pod, claim);
                    if (generatedClaim.isEmpty()) {
                        return new Unresolved(
                                "the ResourceClaim for %s has not been created yet"
                                        .formatted(claim.name()));
                    }
                    // A status without a name means that no claim was needed.
                    generatedClaim.get().resourceClaimName().ifPresent(generated::add);
                }
            }
        }
        pod.status()
                .extendedResourceClaimStatus()
                .ifPresent(status -> generated.add(status.resourceClaimName()));
        all.addAll(generated);
        return new Resolved(all, generated);
    }

    private static Optional<PodResourceClaimStatus> generatedClaim(
            Pod pod, PodResourceClaim claim) {
        return pod.status().resourceClaimStatuses().stream()
                .filter(status -> status.name().equals(claim.name()))
                .findFirst();
    }
}
