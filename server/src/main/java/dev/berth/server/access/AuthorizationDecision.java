package dev.berth.server.access;

/// The result of an authorization.
///
/// @param reason why the request is allowed or denied; may be empty
public record AuthorizationDecision(Outcome outcome, String reason) {

    /// In a chain of authorizers, the first outcome other than NO_OPINION decides; NO_OPINION of
    /// all of them denies the request.
    public enum Outcome {
        ALLOWED,
        DENIED,
        NO_OPINION
    }

    public static AuthorizationDecision allowed(String reason) {
        return new AuthorizationDecision(Outcome.ALLOWED, reason);
    }

    public static AuthorizationDecision denied(String reason) {
        return new AuthorizationDecision(Outcome.DENIED, reason);
    }

    public static AuthorizationDecision noOpinion(String reason) {
        return new AuthorizationDecision(Outcome.NO_OPINION, reason);
    }

    public boolean isAllowed() {
        return outcome == Outcome.ALLOWED;
    }
}
