package dev.berth.server.access;

/// Authorizes requests.
@FunctionalInterface
public interface Authorizer {
    AuthorizationDecision decide(AuthorizationRequest request);
}
