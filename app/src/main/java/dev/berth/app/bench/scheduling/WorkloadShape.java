package dev.berth.app.bench.scheduling;

import dev.berth.model.json.JsonObject;
import java.util.List;
import java.util.function.Function;
import java.util.function.IntFunction;

/// A reproducible workload: nodes, slices, claims and pods.
///
/// @param says description for the table
/// @param nodes default number of nodes
/// @param hardware slices of a node
/// @param classes additional DeviceClasses
/// @param devices `spec.devices` of a claim
/// @param use how pods refer to claims
/// @param held number of preallocated claims for a number of nodes
/// @param mode burst or steady load
record WorkloadShape(
        String name,
        String says,
        int nodes,
        Function<String, List<JsonObject>> hardware,
        List<JsonObject> classes,
        JsonObject devices,
        Use use,
        IntFunction<Integer> held,
        Mode mode) {

    /// How pods refer to claims.
    sealed interface Use {

        /// One claim per pod, from a template.
        record Template() implements Use {}

        /// One existing claim for several pods.
        record Shared(int pods) implements Use {}

        /// One claim per pod group, used by its pods.
        record Grouped(int pods) implements Use {}

        /// Extended resources, with that many different names in rotation.
        record Extended(int names) implements Use {}
    }

    /// The arrival of pods.
    sealed interface Mode {

        /// All pods at once.
        ///
        /// @param perNode number of pods per node
        record Burst(int perNode) implements Mode {}

        /// A few pods at a time: each bound pod is deleted and replaced by a new one.
        record Steady() implements Mode {}
    }

    /// This shape with another number of nodes.
    WorkloadShape onNodes(int count) {
        return new WorkloadShape(name, says, count, hardware, classes, devices, use, held, mode);
    }

    int pods(int nodeCount) {
        return mode instanceof Mode.Burst(var perNode) ? perNode * nodeCount : 0;
    }
}
