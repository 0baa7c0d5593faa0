package dev.berth.client;

import dev.berth.model.json.JsonObject;

/// What came of a request.
public sealed interface RequestResult {

    /// It was carried out.
    ///
    /// @param object what the server answered
    record Done(JsonObject object) implements RequestResult {}

    /// The object has changed since it was read; read it again.
    record Conflict(String message) implements RequestResult {}

    /// There already is an object of that name.
    record Exists(String message) implements RequestResult {}

    /// There is no such object.
    record Missing(String message) implements RequestResult {}

    /// The server will not do it, however often it is asked.
    ///
    /// @param code of HTTP
    /// @param reason such as `Forbidden` or `Invalid`
    record Refused(int code, String reason, String message) implements RequestResult {}

    /// The server did not answer, or asked to come again later; it may or may not have been done.
    record Unavailable(String message) implements RequestResult {}

    default boolean isDone() {
        return this instanceof Done;
    }

    /// What to tell people.
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
}
