package dev.berth.server.patch;

import java.util.List;

/// Why a patch was not carried out, in the words of the API.
///
/// @param code the HTTP status
/// @param reason what clients switch on
/// @param why what exactly is wrong, for logs, where Kubernetes keeps it from the client; may be
///   the message itself
public record PatchRejection(
        int code, String reason, String message, List<Cause> causes, String why)
        implements PatchResult, ApplyResult {

    /// One of several things that are wrong.
    public record Cause(String reason, String message, String field) {}

    public PatchRejection {
        causes = List.copyOf(causes);
    }

    static PatchRejection badRequest(String message) {
        return new PatchRejection(400, "BadRequest", message, List.of(), message);
    }

    /// A configuration that does not match its schema. Kubernetes answers with status 500 and
    /// without a reason.
    static PatchRejection untyped(String message) {
        return new PatchRejection(500, "", message, List.of(), message);
    }

    static PatchRejection tooLarge(String detail) {
        var message = "Request entity too large: " + detail;
        return new PatchRejection(413, "RequestEntityTooLarge", message, List.of(), message);
    }

    /// The patch is well-formed but does not fit the object.
    static PatchRejection unprocessable(String why) {
        return new PatchRejection(
                422,
                "Invalid",
                "the server rejected our request due to an error in our request",
                List.of(),
                why);
    }
}
