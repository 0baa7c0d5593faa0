package dev.berth.client.http;

import dev.berth.client.RequestResult;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.JsonReader;
import dev.berth.model.json.ParseResult;
import java.time.Duration;
import java.util.Optional;
import java.util.function.UnaryOperator;

/// Reads what servers answer.
final class ApiResponses {

    /// What to wait when the server asks to come again but does not say when.
    private static final Duration SHORT_WHILE = Duration.ofSeconds(1);

    private static final int SERVER_FAULT = 500;

    private ApiResponses() {}

    static RequestResult outcome(
            ApiResponse<byte[]> answer,
            BodyEncoding encoding,
            UnaryOperator<JsonObject> converted) {
        var code = answer.statusCode();
        var object = encoding.object(answer.body());
        var message = message(code, object);
        var reason = object.text("reason");
        return switch (code) {
            case 200, 201, 202 ->
                    new RequestResult.Done(isStatus(object) ? object : converted.apply(object));
            case 404 -> new RequestResult.Missing(message);
            case 409 ->
                    reason.equals("AlreadyExists")
                            ? new RequestResult.Exists(message)
                            : new RequestResult.Conflict(message);
            case 408, 429 -> new RequestResult.Unavailable(message);
            default ->
                    code >= SERVER_FAULT
                            ? new RequestResult.Unavailable(message)
                            : new RequestResult.Refused(code, reason, message);
        };
    }

    /// How long the server asks us to wait before the same request is worth sending again; nothing
    /// when it does not ask.
    static Optional<Duration> pause(ApiResponse<?> answer) {
        var asked = answer.headers().firstValue("Retry-After").flatMap(ApiResponses::seconds);
        return switch (answer.statusCode()) {
            case 429 -> Optional.of(asked.orElse(SHORT_WHILE));
            case 503 -> asked;
            default -> Optional.empty();
        };
    }

    private static Optional<Duration> seconds(String text) {
        try {
            return Optional.of(Duration.ofSeconds(Math.max(0, Long.parseLong(text.strip()))));
        } catch (NumberFormatException _) {
            // A date: nobody's API server writes one.
            return Optional.empty();
        }
    }

    static JsonObject object(byte[] body) {
        return JsonReader.read(body) instanceof ParseResult.Documents(var documents)
                        && documents.getFirst().root() instanceof JsonObject object
                ? object
                : JsonObject.EMPTY;
    }

    static String message(int code, JsonObject status) {
        var message = status.text("message");
        return message.isEmpty() ? "the server answered " + code : message;
    }

    private static boolean isStatus(JsonObject object) {
        return object.text("kind").equals("Status") && object.text("apiVersion").equals("v1");
    }
}
