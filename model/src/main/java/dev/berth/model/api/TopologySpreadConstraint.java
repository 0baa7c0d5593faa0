package dev.berth.model.api;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/// How evenly pods are to be spread over places: sets of nodes with the same value of a label.
///
/// @param maxSkew how many more pods a place may have than the one with the fewest
/// @param minDomains with fewer places than this, the fewest pods count as none
/// @param nodeAffinityPolicy whether nodes count that the pod does not select: `Honor`, when
///   absent, says no
/// @param nodeTaintsPolicy whether nodes count that the pod does not tolerate: `Ignore`, when
///   absent, says yes
/// @param matchLabelKeys labels that counted pods must share with the pod
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
