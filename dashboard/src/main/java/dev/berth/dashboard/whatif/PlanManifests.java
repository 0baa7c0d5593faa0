package dev.berth.dashboard.whatif;

import dev.berth.core.plan.PlanInput;
import java.util.List;
import java.util.OptionalInt;

/// Reads manifests on top of the live cluster, as `berth plan --live -f` does.
@FunctionalInterface
public interface PlanManifests {

    /// The result of reading.
    sealed interface Reading {

        /// The cluster, its pending pods and the pods of the manifests.
        record Read(PlanInput input) implements Reading {}

        /// Errors, with line and column.
        record Refused(List<String> problems) implements Reading {
            public Refused {
                problems = List.copyOf(problems);
            }
        }
    }

    /// Reads the manifests.
    ///
    /// @param replicas number of pods for each pod and workload, instead of its own
    Reading read(String yaml, OptionalInt replicas);
}
