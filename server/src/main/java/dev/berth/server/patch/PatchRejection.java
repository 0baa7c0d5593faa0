package dev.berth.server.patch;

import java.util.List;

/// Error response to a patch.
///
/// @param code the HTTP status
/// @param reason machine-readable reason of the status
/// @param why detailed cause for logs, where Kubernetes hides it from the client; may be the
///   message itself
public record PatchRejection(
        int code, String reason, String message, List<Cause> causes, String why)
        implements PatchResult, ApplyResult {

    /// One of several errors.
    public record Cause(String reason, String message, String field) {}

    public PatchRejection {
        causes = List.copyOf(causes);
    }

    static PatchRejection badRequest(String message) {
        return new PatchRejection(400, "BadRequest", message, List.of(), message);
    }

    /// A configuration that does not match its schema. Kubernetes responds with status 500 and
    /// without a reason.
    static PatchRejection untyped(String message) {
        return new PatchRejection(500, "", message, List.of(), message);
    }

    static PatchRejection tooLarge(String detail) {
        var message = "Request entity too large: " + detail;
        return new PatchRejection(413, "RequestEntityTooLarge", message, List.of(), message);
    }

    /// The patch is well-formed but cannot be applied to the object.
    static PatchRejection unprocessable(String why) {
        return new PatchRejection(
                422,
                "Invalid",
                "the server rejected our request due to an error in our request",
                List.of(),
                why);
    }
}
