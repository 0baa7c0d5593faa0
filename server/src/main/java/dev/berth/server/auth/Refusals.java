package dev.berth.server.auth;

import dev.berth.core.text.GoText;
import dev.berth.model.json.JsonObject;
import dev.berth.server.access.Access;
import dev.berth.server.access.Decision;
import dev.berth.server.registry.Failure;

/// The words for what somebody may not do.
public final class Refusals {

    private Refusals() {}

    /// `User "jane" cannot list resource "pods" in API group "" in the namespace "default"`, and
    /// the reason if there is one.
    public static String message(Access access, Decision decision) {
        var text = sentence(access);
        return decision.reason().isEmpty() ? text : text + ": " + decision.reason();
    }

    private static String sentence(Access access) {
        var user = GoText.quote(access.user().name());
        return switch (access) {
            case Access.ToPath to ->
                    "User %s cannot %s path %s".formatted(user, to.verb(), GoText.quote(to.path()));
            case Access.ToResource to ->
                    "User %s cannot %s resource %s in API group %s %s"
                            .formatted(
                                    user,
                                    to.verb(),
                                    GoText.quote(kind(to)),
                                    GoText.quote(to.group()),
                                    place(to));
        };
    }

    private static String kind(Access.ToResource to) {
        return to.subresource().isEmpty() ? to.resource() : to.resource() + "/" + to.subresource();
    }

    private static String place(Access.ToResource to) {
        return to.namespace().isEmpty()
                ? "at the cluster scope"
                : "in the namespace " + GoText.quote(to.namespace());
    }

    /// The answer to a request that was refused.
    public static Failure failure(Access access, Decision decision) {
        var message = message(access, decision);
        return switch (access) {
            case Access.ToPath _ ->
                    new Failure(403, "Forbidden", "forbidden: " + message, JsonObject.EMPTY);
            case Access.ToResource to ->
                    Failure.forbidden(
                            new Failure.About(to.group(), to.resource(), "", to.name()), message);
        };
    }
}
