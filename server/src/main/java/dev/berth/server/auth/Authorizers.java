package dev.berth.server.auth;

import dev.berth.core.admission.StatusAuthorization;
import dev.berth.server.access.AuthorizationDecision;
import dev.berth.server.access.AuthorizationRequest;
import dev.berth.server.access.Authorizer;
import dev.berth.server.access.User;
import java.util.List;
import java.util.Optional;

/// Ways to put authorizers together.
public final class Authorizers {

    private Authorizers() {}

    /// The first that has an opinion decides. When none has, the reasons of all are kept.
    public static Authorizer chain(List<Authorizer> inOrder) {
        var all = List.copyOf(inOrder);
        return access -> {
            var reasons = new StringBuilder();
            for (var one : all) {
                var decision = one.decide(access);
                if (decision.verdict() != AuthorizationDecision.Verdict.NO_OPINION) {
                    return decision;
                }
                if (!decision.reason().isEmpty()) {
                    reasons.append(reasons.isEmpty() ? "" : "\n").append(decision.reason());
                }
            }
            return AuthorizationDecision.noOpinion(reasons.toString());
        };
    }

    /// Members of the group of masters may do anything; of others it knows nothing.
    public static AuthorizationDecision masters(AuthorizationRequest access) {
        return access.user().groups().contains(User.MASTERS)
                ? AuthorizationDecision.allowed("")
                : AuthorizationDecision.noOpinion("");
    }

    /// Who may change which part of a claim's status, asked of an authorizer.
    public static StatusAuthorization.Authorizer ofClaims(User user, Authorizer authorizer) {
        return wanted -> {
            var access =
                    AuthorizationRequest.ToResource.of(
                                    user,
                                    wanted.verb(),
                                    "resource.k8s.io",
                                    "resourceclaims",
                                    wanted.namespace())
                            .sub(wanted.subresource())
                            .named(wanted.name());
            var decision = authorizer.decide(access);
            return decision.isAllowed()
                    ? Optional.empty()
                    : Optional.of(ForbiddenMessages.failure(access, decision).message());
        };
    }

    /// The caller as the rules about claims want to know them.
    public static StatusAuthorization.Caller caller(User user) {
        return new StatusAuthorization.Caller(user.name(), user.extra());
    }
}
