package dev.berth.server.auth;

import dev.berth.core.text.GoText;
import dev.berth.model.json.JsonObject;
import dev.berth.server.access.AuthorizationDecision;
import dev.berth.server.access.AuthorizationRequest;
import dev.berth.server.registry.ApiError;

/// Messages of 403 responses, as in Kubernetes.
public final class ForbiddenMessages {

    private ForbiddenMessages() {}

    /// `User "jane" cannot list resource "pods" in API group "" in the namespace "default"`, and
    /// the reason if there is one.
    public static String message(AuthorizationRequest request, AuthorizationDecision decision) {
        var text = sentence(request);
        return decision.reason().isEmpty() ? text : text + ": " + decision.reason();
    }

    private static String sentence(AuthorizationRequest request) {
        var user = GoText.quote(request.user().name());
        return switch (request) {
            case AuthorizationRequest.NonResourceAttributes attributes ->
                    "User %s cannot %s path %s"
                            .formatted(user, attributes.verb(), GoText.quote(attributes.path()));
            case AuthorizationRequest.ResourceAttributes attributes ->
                    "User %s cannot %s resource %s in API group %s %s"
                            .formatted(
                                    user,
                                    attributes.verb(),
                                    GoText.quote(kind(attributes)),
                                    GoText.quote(attributes.group()),
                                    scope(attributes));
        };
    }

    private static String kind(AuthorizationRequest.ResourceAttributes attributes) {
        return attributes.subresource().isEmpty()
                ? attributes.resource()
                : attributes.resource() + "/" + attributes.subresource();
    }

    private static String scope(AuthorizationRequest.ResourceAttributes attributes) {
        return attributes.namespace().isEmpty()
                ? "at the cluster scope"
                : "in the namespace " + GoText.quote(attributes.namespace());
    }

    /// The error of a request that is not authorized.
    public static ApiError error(AuthorizationRequest request, AuthorizationDecision decision) {
        var message = message(request, decision);
        return switch (request) {
            case AuthorizationRequest.NonResourceAttributes _ ->
                    new ApiError(403, "Forbidden", "forbidden: " + message, JsonObject.EMPTY);
            case AuthorizationRequest.ResourceAttributes attributes ->
                    ApiError.forbidden(
                            new ApiError.About(
                                    attributes.group(),
                                    attributes.resource(),
                                    "",
                                    attributes.name()),
                            message);
        };
    }
}
