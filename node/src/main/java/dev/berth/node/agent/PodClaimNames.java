package dev.berth.node.agent;

import dev.berth.model.api.Pod;
import dev.berth.model.api.PodClaimSource;
import dev.berth.model.api.PodResourceClaim;
import dev.berth.model.api.PodResourceClaimStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Which claims a pod uses.
sealed interface PodClaimNames {

    /// The claims, by the name of the object.
    ///
    /// @param generated those that were made for the pod, and so must belong to it
    record Known(List<String> all, List<String> generated) implements PodClaimNames {
        public Known {
            all = List.copyOf(all);
            generated = List.copyOf(generated);
        }
    }

    /// One has not been made yet.
    record NotYet(String reason) implements PodClaimNames {}

    static PodClaimNames of(Pod pod) {
        var all = new ArrayList<String>();
        var generated = new ArrayList<String>();
        for (var claim : pod.spec().resourceClaims()) {
            switch (claim.source()) {
                case PodClaimSource.ClaimName(var name) -> all.add(name);
                case PodClaimSource.Unrecognised _ -> {
                    return new NotYet(
                            "claim %s of the pod has no known source".formatted(claim.name()));
                }
                case PodClaimSource.TemplateName _ -> {
                    var made = made(pod, claim);
                    if (made.isEmpty()) {
                        return new NotYet(
                                "the claim for %s has not been made yet".formatted(claim.name()));
                    }
                    // No name means that none was needed.
                    made.get().resourceClaimName().ifPresent(generated::add);
                }
            }
        }
        pod.status()
                .extendedResourceClaimStatus()
                .ifPresent(status -> generated.add(status.resourceClaimName()));
        all.addAll(generated);
        return new Known(all, generated);
    }

    private static Optional<PodResourceClaimStatus> made(Pod pod, PodResourceClaim claim) {
        return pod.status().resourceClaimStatuses().stream()
                .filter(status -> status.name().equals(claim.name()))
                .findFirst();
    }
}
