package dev.berth.server.registry;

/// Ends a request with a failure, from whatever depth; caught once, where the answer is written.
///
/// A request passes a dozen steps, each of which may refuse it in the words of the API. This is the
/// one place where we use an exception for an expected outcome.
public final class ApiException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final transient ApiError error;

    ApiException(ApiError error) {
        super(error.message(), null, false, false);
        this.error = error;
    }

    public ApiError error() {
        return error;
    }
}
