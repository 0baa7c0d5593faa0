package dev.berth.server.auth;

import dev.berth.core.admission.StatusAuthorization;
import dev.berth.server.access.AuthorizationDecision;
import dev.berth.server.access.AuthorizationRequest;
import dev.berth.server.access.Authorizer;
import dev.berth.server.access.User;
import java.util.List;
import java.util.Optional;

/// Combines authorizers.
public final class Authorizers {

    private Authorizers() {}

    /// A chain: the first authorizer with an opinion decides. If none has, their reasons are
    /// joined.
    public static Authorizer chain(List<Authorizer> inOrder) {
        var all = List.copyOf(inOrder);
        return request -> {
            var reasons = new StringBuilder();
            for (var one : all) {
                var decision = one.decide(request);
                if (decision.outcome() != AuthorizationDecision.Outcome.NO_OPINION) {
                    return decision;
                }
                if (!decision.reason().isEmpty()) {
                    reasons.append(reasons.isEmpty() ? "" : "\n").append(decision.reason());
                }
            }
            return AuthorizationDecision.noOpinion(reasons.toString());
        };
    }

    /// Allows everything to members of `system:masters`; no opinion on other users.
    public static AuthorizationDecision masters(AuthorizationRequest request) {
        return request.user().groups().contains(User.MASTERS)
                ? AuthorizationDecision.allowed("")
                : AuthorizationDecision.noOpinion("");
    }

    /// Authorizes changes of a claim's status.
    public static StatusAuthorization.Authorizer ofClaims(User user, Authorizer authorizer) {
        return change -> {
            var request =
                    AuthorizationRequest.ResourceAttributes.of(
                                    user,
                                    change.verb(),
                                    "resource.k8s.io",
                                    "resourceclaims",
                                    change.namespace())
                            .sub(change.subresource())
                            .named(change.name());
            var decision = authorizer.decide(request);
            return decision.isAllowed()
                    ? Optional.empty()
                    : Optional.of(ForbiddenMessages.error(request, decision).message());
        };
    }

    /// The user in the form that the rules of claim status need.
    public static StatusAuthorization.Caller caller(User user) {
        return new StatusAuthorization.Caller(user.name(), user.extra());
    }
}
