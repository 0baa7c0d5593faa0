package dev.berth.server.access;

/// What an authorizer says.
///
/// @param reason why it is allowed, or why no rule allows it; may be empty
public record Decision(Verdict verdict, String reason) {

    /// Of several authorizers the first that has an opinion decides; nobody's opinion is a no.
    public enum Verdict {
        ALLOWED,
        DENIED,
        NO_OPINION
    }

    public static Decision allowed(String reason) {
        return new Decision(Verdict.ALLOWED, reason);
    }

    public static Decision denied(String reason) {
        return new Decision(Verdict.DENIED, reason);
    }

    public static Decision noOpinion(String reason) {
        return new Decision(Verdict.NO_OPINION, reason);
    }

    public boolean isAllowed() {
        return verdict == Verdict.ALLOWED;
    }
}
