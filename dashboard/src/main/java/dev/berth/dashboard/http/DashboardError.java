package dev.berth.dashboard.http;

import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;

/// An error of a request, as the client receives it.
public final class DashboardError extends Exception {

    private static final long serialVersionUID = 1L;

    private final int code;
    private final String reason;
    private final String action;
    private final transient JsonObject more;

    /// @param code HTTP status code
    /// @param reason machine-readable reason
    /// @param message what is wrong, with values
    /// @param action what the user can do; empty for none
    public DashboardError(int code, String reason, String message, String action) {
        this(code, reason, message, action, JsonObject.EMPTY);
    }

    private DashboardError(
            int code, String reason, String message, String action, JsonObject more) {
        super(message, null, false, false);
        this.code = code;
        this.reason = reason;
        this.action = action;
        this.more = more;
    }

    public static DashboardError badRequest(String message) {
        return new DashboardError(400, "BadRequest", message, "");
    }

    public static DashboardError notFound(String message) {
        return new DashboardError(404, "NotFound", message, "");
    }

    /// The same error with another member.
    public DashboardError with(String name, Json value) {
        return new DashboardError(
                code, reason, String.valueOf(getMessage()), action, more.with(name, value));
    }

    public int code() {
        return code;
    }

    public String reason() {
        return reason;
    }

    /// The body of the response.
    JsonObject json() {
        var error =
                JsonObject.of("code", Json.of(code))
                        .with("reason", Json.of(reason))
                        .with("message", Json.of(String.valueOf(getMessage())));
        if (!action.isEmpty()) {
            error = error.with("action", Json.of(action));
        }
        for (var name : more.names()) {
            error = error.with(name, more.member(name).orElseThrow());
        }
        return DataBody.versioned(JsonObject.of("error", error));
    }
}
