package dev.berth.model.api;

import dev.berth.model.json.JsonObject;
import java.util.Optional;

/// Which nodes a pod needs or likes. What it wants of other pods is kept as it was written.
public record Affinity(
        Optional<NodeAffinity> nodeAffinity,
        Optional<JsonObject> podAffinity,
        Optional<JsonObject> podAntiAffinity) {}
