package dev.berth.dashboard.http;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/// A request to the data API by a browser with a session.
///
/// @param path decoded segments after `/ui/api/`
/// @param query decoded query parameters; the last value of each
/// @param body content of a POST, at most [#MAX_BODY] bytes
/// @param session identifies the session
@SuppressWarnings("ArrayRecordComponent") // never compared
public record DataRequest(
        String method, List<String> path, Map<String, String> query, byte[] body, String session) {

    /// Limit of the size of a body.
    public static final int MAX_BODY = 1 << 20;

    public DataRequest {
        path = List.copyOf(path);
        query = Map.copyOf(query);
        body = body.clone();
    }

    /// A query parameter; empty when absent or empty.
    public Optional<String> parameter(String name) {
        return Optional.ofNullable(query.get(name)).filter(text -> !text.isEmpty());
    }

    public String required(String name) throws DashboardError {
        return parameter(name)
                .orElseThrow(() ->
                        DashboardError.badRequest(
                                "the parameter \"%s\" is missing".formatted(name)));
    }

    /// A number within bounds.
    public int number(String name, int usual, int min, int max) throws DashboardError {
        var text = parameter(name).orElse(Integer.toString(usual));
        var isNumber = text.matches("[0-9]{1,9}");
        var number = isNumber ? Integer.parseInt(text) : -1;
        if (!isNumber || number < min || number > max) {
            throw DashboardError.badRequest(
                    "%s=%s is not a number from %d to %d".formatted(name, text, min, max));
        }
        return number;
    }

    /// Fails unless the method is this one.
    public void require(String expected) throws DashboardError {
        if (!method.equals(expected)) {
            throw new DashboardError(
                    405,
                    "MethodNotAllowed",
                    "%s is not allowed here; use %s".formatted(method, expected),
                    "");
        }
    }
}
