package dev.berth.server.registry;

import dev.berth.model.json.JsonObject;

/// A kind that is created but never stored, such as SubjectAccessReview: the response contains its
/// status.
public record ReviewKind(
        String group,
        String version,
        String kind,
        String plural,
        boolean namespaced,
        Handler handler) {

    /// Computes the status of a review.
    @FunctionalInterface
    public interface Handler {
        JsonObject review(JsonObject request, RequestContext context);
    }

    public String apiVersion() {
        return group.isEmpty() ? version : group + "/" + version;
    }
}
