package dev.berth.server;

import dev.berth.server.access.Authorizer;
import dev.berth.server.access.User;
import dev.berth.server.auth.Authenticator;
import dev.berth.server.auth.Impersonation;
import dev.berth.server.http.RequestCredentials;
import dev.berth.server.registry.ApiError;
import java.util.function.Function;

/// Authenticates requests and applies impersonation.
record RequestAuthenticator(Authenticator authenticator, Authorizer authorizer)
        implements Function<RequestCredentials, User> {

    @Override
    public User apply(RequestCredentials credentials) {
        var outcome =
                authenticator.authenticate(
                        credentials.certificates().stream().findFirst(),
                        credentials.headers().apply("Authorization").stream().findFirst());
        return switch (outcome) {
            case Authenticator.Outcome.Authenticated(var user) -> impersonated(user, credentials);
            case Authenticator.Outcome.Rejected _ -> throw ApiError.unauthorized().exception();
        };
    }

    private User impersonated(User user, RequestCredentials credentials) {
        return switch (Impersonation.of(credentials.impersonation(), user, authorizer)) {
            case Impersonation.Outcome.Effective(var other) -> other;
            case Impersonation.Outcome.Rejected(var failure) -> throw failure.exception();
        };
    }
}
