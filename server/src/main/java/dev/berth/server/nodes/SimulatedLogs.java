package dev.berth.server.nodes;

import dev.berth.model.json.JsonObject;
import java.util.Optional;

/// The logs of pods on simulated nodes, which have no endpoint.
@FunctionalInterface
public interface SimulatedLogs {

    /// The log of a container; empty when the node of the pod is not simulated here.
    Optional<String> log(JsonObject pod, String container);
}
