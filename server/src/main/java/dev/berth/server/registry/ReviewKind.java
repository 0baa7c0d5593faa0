package dev.berth.server.registry;

import dev.berth.model.json.JsonObject;

/// A kind that is never stored: one asks by creating it and the answer is in its status.
public record ReviewKind(
        String group,
        String version,
        String kind,
        String plural,
        boolean namespaced,
        Question question) {

    /// Answers.
    @FunctionalInterface
    public interface Question {
        JsonObject answer(JsonObject asked, RequestContext context);
    }

    public String apiVersion() {
        return group.isEmpty() ? version : group + "/" + version;
    }
}
