package dev.berth.model.api;

import dev.berth.model.json.JsonObject;

/// Where the claim of a pod comes from.
public sealed interface PodClaimSource {

    /// A claim that somebody made.
    record ClaimName(String name) implements PodClaimSource {}

    /// A template from which a claim is made for the pod.
    record TemplateName(String name) implements PodClaimSource {}

    /// A source of a newer API, or both of the above; kept as it was written.
    record Unrecognised(JsonObject raw) implements PodClaimSource {}
}
