package dev.berth.app.bench.placement;

import dev.berth.model.json.JsonObject;
import java.util.List;

/// A cluster and the pods that arrive in it.
///
/// @param workload the name of the trace file without its seed
/// @param objects nodes, slices and classes of the cluster
/// @param capacity the sum of all devices, in the unit of [Arrival#amount]
/// @param firstCounted the number of arrivals at the start that are not counted
record ArrivalTrace(
        String workload,
        String seed,
        Kind kind,
        Cluster objects,
        long capacity,
        List<Arrival> arrivals,
        int firstCounted) {

    /// The figure that a trace measures.
    enum Kind {
        /// Allocated devices while demand grows; pods stay.
        ALLOCATION,
        /// Accepted pods.
        ACCEPTANCE,
        /// Accepted pods, and pods whose devices are in as few PCIe roots as possible.
        ALIGNMENT
    }

    /// Objects of a cluster.
    record Cluster(List<JsonObject> nodes, List<JsonObject> slices, List<JsonObject> classes) {
        Cluster {
            nodes = List.copyOf(nodes);
            slices = List.copyOf(slices);
            classes = List.copyOf(classes);
        }
    }

    ArrivalTrace {
        arrivals = List.copyOf(arrivals);
    }
}
