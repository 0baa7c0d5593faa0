package dev.berth.core.plan;

import dev.berth.core.utilisation.ClusterUtilisation;
import dev.berth.model.api.meta.ObjectRef;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/// Result of a plan.
///
/// @param outcomes one per pod, in the order of the pods
/// @param requestedClasses device classes that the pods request
/// @param before utilisation of the cluster as it is
/// @param after utilisation after changes, new nodes and placements
/// @param notes objects and errors that the plan ignores
/// @param displaced the pods of removed nodes, with these nodes
/// @param workloads workload controllers of the pods
public record Plan(
        List<PlannedPod> outcomes,
        Set<String> requestedClasses,
        ClusterUtilisation before,
        ClusterUtilisation after,
        List<String> notes,
        SortedMap<ObjectRef, String> displaced,
        List<PlanInput.Workload> workloads,
        Optional<Growth> growth) {

    /// The additional nodes.
    ///
    /// @param added the numbers in the plan, in the order of the kinds
    /// @param isEnough whether all pods fit. Then no number can be smaller while the others stay;
    ///   otherwise all numbers are the limits
    public record Growth(List<Added> added, boolean isEnough) {
        public Growth {
            added = List.copyOf(added);
        }

        /// The sum over all kinds.
        public int total() {
            return added.stream().mapToInt(Added::count).sum();
        }

        /// The sum of the limits.
        public int limit() {
            return added.stream().mapToInt(Added::limit).sum();
        }
    }

    /// Additional nodes of one kind.
    ///
    /// @param kind the node that is copied, or a hardware profile
    /// @param limit the largest number that was allowed
    public record Added(String kind, int limit, int count) {}

    public Plan {
        outcomes = List.copyOf(outcomes);
        requestedClasses = Collections.unmodifiableSet(new TreeSet<>(requestedClasses));
        notes = List.copyOf(notes);
        displaced = Collections.unmodifiableSortedMap(new TreeMap<>(displaced));
        workloads = List.copyOf(workloads);
    }

    public boolean everythingFits() {
        return pending() == 0;
    }

    public long pending() {
        return outcomes.stream().filter(o -> o instanceof PlannedPod.Pending).count();
    }

    Plan with(Growth newGrowth) {
        return new Plan(
                outcomes,
                requestedClasses,
                before,
                after,
                notes,
                displaced,
                workloads,
                Optional.of(newGrowth));
    }

    Plan withBefore(ClusterUtilisation newBefore) {
        return new Plan(
                outcomes, requestedClasses, newBefore, after, notes, displaced, workloads, growth);
    }
}
