package dev.berth.core.plan;

import dev.berth.core.plan.defragment.DefragmentPlan;
import dev.berth.core.utilisation.ClusterUtilisation;
import java.util.Collections;
import java.util.Set;
import java.util.TreeSet;

/// Evictions that make room for pending pods or for a stated size.
///
/// @param requestedClasses device classes for which room is made
/// @param before utilisation of the cluster as it is
/// @param after utilisation after all steps
public record Defragmentation(
        DefragmentPlan plan,
        Set<String> requestedClasses,
        ClusterUtilisation before,
        ClusterUtilisation after) {

    public Defragmentation {
        requestedClasses = Collections.unmodifiableSet(new TreeSet<>(requestedClasses));
    }
}
