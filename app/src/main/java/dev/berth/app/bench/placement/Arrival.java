package dev.berth.app.bench.placement;

import dev.berth.model.json.JsonObject;
import java.util.List;
import java.util.OptionalDouble;

/// A pod of a trace.
///
/// @param pod the pod without a node
/// @param claims the claims that it uses, by name
/// @param amount what the pod adds to the measured demand, such as thousandths of GPUs
/// @param seconds arrival time; zero in traces without times
/// @param lifetime time until the pod leaves; empty if it stays
/// @param fewestRoots the fewest PCIe roots that can hold the devices; zero if not measured
record Arrival(
        JsonObject pod,
        List<JsonObject> claims,
        long amount,
        double seconds,
        OptionalDouble lifetime,
        int fewestRoots) {

    Arrival {
        claims = List.copyOf(claims);
    }

    String name() {
        return pod.objectOrEmpty("metadata").string("name").orElseThrow();
    }
}
