package dev.berth.node.endpoint;

/// A failed request: HTTP status and message.
final class EndpointError extends Exception {

    private static final long serialVersionUID = 1;

    private final int status;

    EndpointError(int status, String message) {
        super(message);
        this.status = status;
    }

    static EndpointError badRequest(String message) {
        return new EndpointError(400, message);
    }

    static EndpointError notFound(String message) {
        return new EndpointError(404, message);
    }

    int status() {
        return status;
    }

    String text() {
        return String.valueOf(getMessage());
    }
}
