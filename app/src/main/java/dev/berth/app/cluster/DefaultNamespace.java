package dev.berth.app.cluster;

import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import java.util.Set;

/// The namespace that the API server sets in manifests without one.
final class DefaultNamespace {

    private static final Set<String> NAMESPACED =
            Set.of(
                    "Pod",
                    "ResourceClaim",
                    "ResourceClaimTemplate",
                    "PersistentVolumeClaim",
                    "ResourceQuota",
                    "PodDisruptionBudget");

    private DefaultNamespace() {}

    static JsonObject set(JsonObject object) {
        var metadata = object.objectOrEmpty("metadata");
        var isComplete =
                !NAMESPACED.contains(object.text("kind")) || !metadata.text("namespace").isEmpty();
        return isComplete
                ? object
                : object.with("metadata", metadata.with("namespace", Json.of("default")));
    }
}
