package dev.berth.server.patch;

/// Carries a rejection out of a recursion; caught by the public method that began it.
final class Refusal extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final transient Rejected rejected;

    Refusal(Rejected rejected) {
        super(rejected.why(), null, false, false);
        this.rejected = rejected;
    }

    Rejected rejected() {
        return rejected;
    }

    static Refusal badRequest(String message) {
        return new Refusal(Rejected.badRequest(message));
    }

    static Refusal unprocessable(String why) {
        return new Refusal(Rejected.unprocessable(why));
    }
}
