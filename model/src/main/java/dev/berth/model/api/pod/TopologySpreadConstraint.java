package dev.berth.model.api.pod;

import dev.berth.model.api.selector.LabelSelector;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/// A topology spread constraint over domains: sets of nodes with the same value of a label.
///
/// @param maxSkew permitted difference to the domain with the fewest pods
/// @param minDomains with fewer domains, the global minimum is zero
/// @param nodeAffinityPolicy whether nodes that the pod does not match are ignored; default
///   `Honor`, which ignores them
/// @param nodeTaintsPolicy whether nodes that the pod does not tolerate are ignored; default
///   `Ignore`, which counts them
/// @param matchLabelKeys labels whose values counted pods share with the pod
public record TopologySpreadConstraint(
        long maxSkew,
        String topologyKey,
        UnsatisfiableConstraintAction whenUnsatisfiable,
        Optional<LabelSelector> labelSelector,
        OptionalLong minDomains,
        Optional<String> nodeAffinityPolicy,
        Optional<String> nodeTaintsPolicy,
        List<String> matchLabelKeys) {

    private static final String IGNORE = "Ignore";
    private static final String HONOR = "Honor";

    public TopologySpreadConstraint {
        matchLabelKeys = List.copyOf(matchLabelKeys);
    }

    public boolean honorsNodeAffinity() {
        return nodeAffinityPolicy.filter(IGNORE::equals).isEmpty();
    }

    public boolean honorsNodeTaints() {
        return nodeTaintsPolicy.filter(HONOR::equals).isPresent();
    }
}
