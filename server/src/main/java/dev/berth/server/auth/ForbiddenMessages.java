package dev.berth.server.auth;

import dev.berth.core.text.GoText;
import dev.berth.model.json.JsonObject;
import dev.berth.server.access.AuthorizationDecision;
import dev.berth.server.access.AuthorizationRequest;
import dev.berth.server.registry.ApiError;

/// The words for what somebody may not do.
public final class ForbiddenMessages {

    private ForbiddenMessages() {}

    /// `User "jane" cannot list resource "pods" in API group "" in the namespace "default"`, and
    /// the reason if there is one.
    public static String message(AuthorizationRequest access, AuthorizationDecision decision) {
        var text = sentence(access);
        return decision.reason().isEmpty() ? text : text + ": " + decision.reason();
    }

    private static String sentence(AuthorizationRequest access) {
        var user = GoText.quote(access.user().name());
        return switch (access) {
            case AuthorizationRequest.ToPath to ->
                    "User %s cannot %s path %s".formatted(user, to.verb(), GoText.quote(to.path()));
            case AuthorizationRequest.ToResource to ->
                    "User %s cannot %s resource %s in API group %s %s"
                            .formatted(
                                    user,
                                    to.verb(),
                                    GoText.quote(kind(to)),
                                    GoText.quote(to.group()),
                                    place(to));
        };
    }

    private static String kind(AuthorizationRequest.ToResource to) {
        return to.subresource().isEmpty() ? to.resource() : to.resource() + "/" + to.subresource();
    }

    private static String place(AuthorizationRequest.ToResource to) {
        return to.namespace().isEmpty()
                ? "at the cluster scope"
                : "in the namespace " + GoText.quote(to.namespace());
    }

    /// The answer to a request that was refused.
    public static ApiError failure(AuthorizationRequest access, AuthorizationDecision decision) {
        var message = message(access, decision);
        return switch (access) {
            case AuthorizationRequest.ToPath _ ->
                    new ApiError(403, "Forbidden", "forbidden: " + message, JsonObject.EMPTY);
            case AuthorizationRequest.ToResource to ->
                    ApiError.forbidden(
                            new ApiError.About(to.group(), to.resource(), "", to.name()), message);
        };
    }
}
