package dev.berth.node.agent;

import dev.berth.model.api.pod.Pod;
import dev.berth.model.api.pod.PodClaimReferences;
import dev.berth.model.api.pod.PodClaimReferences.Resolution;
import java.util.ArrayList;
import java.util.List;

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
            switch (PodClaimReferences.resolve(pod, claim)) {
                case Resolution.Named(var ref, var isGenerated) ->
                        (isGenerated ? generated : all).add(ref.name());
                case Resolution.NotNeeded _ -> {}
                case Resolution.NotCreated _ -> {
                    return new Unresolved(
                            "the ResourceClaim for %s has not been created yet"
                                    .formatted(claim.name()));
                }
                case Resolution.Unsupported _ -> {
                    return new Unresolved(
                            "claim %s of the pod has an unknown source".formatted(claim.name()));
                }
            }
        }
        PodClaimReferences.ofExtendedResources(pod).ifPresent(ref -> generated.add(ref.name()));
        all.addAll(generated);
        return new Resolved(all, generated);
    }
}
