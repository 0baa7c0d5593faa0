package dev.berth.server.access;

/// Decides what somebody may do.
@FunctionalInterface
public interface Authorizer {
    AuthorizationDecision decide(AuthorizationRequest access);
}
