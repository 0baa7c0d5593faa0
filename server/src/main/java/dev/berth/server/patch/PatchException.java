package dev.berth.server.patch;

/// Carries a [PatchRejection] out of a recursion; caught by the public method that started it.
final class PatchException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final transient PatchRejection rejected;

    PatchException(PatchRejection rejected) {
        super(rejected.why(), null, false, false);
        this.rejected = rejected;
    }

    PatchRejection rejected() {
        return rejected;
    }

    static PatchException badRequest(String message) {
        return new PatchException(PatchRejection.badRequest(message));
    }

    static PatchException unprocessable(String why) {
        return new PatchException(PatchRejection.unprocessable(why));
    }
}
