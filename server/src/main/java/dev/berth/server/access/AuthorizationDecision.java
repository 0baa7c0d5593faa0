package dev.berth.server.access;

/// What an authorizer says.
///
/// @param reason why it is allowed, or why no rule allows it; may be empty
public record AuthorizationDecision(Verdict verdict, String reason) {

    /// Of several authorizers the first that has an opinion decides; nobody's opinion is a no.
    public enum Verdict {
        ALLOWED,
        DENIED,
        NO_OPINION
    }

    public static AuthorizationDecision allowed(String reason) {
        return new AuthorizationDecision(Verdict.ALLOWED, reason);
    }

    public static AuthorizationDecision denied(String reason) {
        return new AuthorizationDecision(Verdict.DENIED, reason);
    }

    public static AuthorizationDecision noOpinion(String reason) {
        return new AuthorizationDecision(Verdict.NO_OPINION, reason);
    }

    public boolean isAllowed() {
        return verdict == Verdict.ALLOWED;
    }
}
