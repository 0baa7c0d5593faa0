package dev.berth.model.api.pod;

import dev.berth.model.json.JsonObject;

/// Source of a pod's claim: an existing claim or a template.
public sealed interface PodClaimSource {

    /// An existing claim by name.
    record ClaimName(String name) implements PodClaimSource {}

    /// A template from which a claim is created for the pod.
    record TemplateName(String name) implements PodClaimSource {}

    /// A source of an unknown type, or both of the above; kept as written.
    record Unrecognised(JsonObject raw) implements PodClaimSource {}
}
