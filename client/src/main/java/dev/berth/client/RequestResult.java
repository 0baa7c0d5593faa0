package dev.berth.client;

import dev.berth.model.json.JsonObject;
import dev.berth.model.workqueue.WorkResult;

/// The result of a request to the API server.
public sealed interface RequestResult {

    /// The first status code of failures of the server.
    int SERVER_ERROR = 500;

    /// The request succeeded.
    ///
    /// @param object the body of the response
    record Done(JsonObject object) implements RequestResult {}

    /// The object has changed since it was read (409); read it again.
    record Conflict(String message) implements RequestResult {}

    /// An object of that name exists already (409, `AlreadyExists`).
    record Exists(String message) implements RequestResult {}

    /// The object does not exist (404).
    record Missing(String message) implements RequestResult {}

    /// The request failed permanently; a retry would fail as well.
    ///
    /// @param code HTTP status code
    /// @param reason such as `Forbidden` or `Invalid`
    record Refused(int code, String reason, String message) implements RequestResult {}

    /// No response, or a temporary failure (408, 429, 5xx). The request may have been carried out.
    record Unavailable(String message) implements RequestResult {}

    /// The result of a request that failed with an error of the API.
    ///
    /// @param code HTTP status code
    /// @param reason machine-readable reason of the error; may be empty
    static RequestResult failed(int code, String reason, String message) {
        return switch (code) {
            case 404 -> new Missing(message);
            case 408, 429 -> new Unavailable(message);
            case 409 ->
                    reason.equals("AlreadyExists") ? new Exists(message) : new Conflict(message);
            default ->
                    code >= SERVER_ERROR
                            ? new Unavailable(message)
                            : new Refused(code, reason, message);
        };
    }

    default boolean isDone() {
        return this instanceof Done;
    }

    /// The error message of the server, for logs and users.
    default String message() {
        return switch (this) {
            case Done _ -> "done";
            case Conflict(var message) -> message;
            case Exists(var message) -> message;
            case Missing(var message) -> message;
            case Refused(_, _, var message) -> message;
            case Unavailable(var message) -> message;
        };
    }

    /// The result of a key after whose request nothing is left to do. A missing object is a
    /// success; all failures are retried.
    default WorkResult asWorkResult() {
        return switch (this) {
            case Done _, Missing _ -> WorkResult.DONE;
            case Conflict _, Exists _, Refused _, Unavailable _ -> new WorkResult.Retry(message());
        };
    }
}
