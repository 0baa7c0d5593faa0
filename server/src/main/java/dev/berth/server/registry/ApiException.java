package dev.berth.server.registry;

/// Ends a request with an [ApiError]; caught once, where the response is written.
///
/// A request passes a dozen steps, each of which can reject it. This is the only exception that is
/// used for an expected outcome.
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
