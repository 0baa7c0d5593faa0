package dev.berth.client.http;

import dev.berth.client.RequestResult;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.JsonReader;
import dev.berth.model.json.ParseResult;
import java.time.Duration;
import java.util.Optional;
import java.util.function.UnaryOperator;

/// Interprets responses of the API server.
final class ApiResponses {

    /// The delay for a 429 without `Retry-After`.
    private static final Duration DEFAULT_RETRY_AFTER = Duration.ofSeconds(1);

    private ApiResponses() {}

    static RequestResult result(
            ApiResponse<byte[]> response,
            BodyEncoding encoding,
            UnaryOperator<JsonObject> converted) {
        var code = response.statusCode();
        var object = encoding.object(response.body());
        return switch (code) {
            case 200, 201, 202 ->
                    new RequestResult.Done(isStatus(object) ? object : converted.apply(object));
            default -> RequestResult.failed(code, object.text("reason"), message(code, object));
        };
    }

    /// The `Retry-After` of a response; empty when the request should not be retried.
    static Optional<Duration> retryAfter(ApiResponse<?> response) {
        var seconds =
                response.headers().firstValue("Retry-After").flatMap(ApiResponses::parseSeconds);
        return switch (response.statusCode()) {
            case 429 -> Optional.of(seconds.orElse(DEFAULT_RETRY_AFTER));
            case 503 -> seconds;
            default -> Optional.empty();
        };
    }

    private static Optional<Duration> parseSeconds(String text) {
        try {
            return Optional.of(Duration.ofSeconds(Math.max(0, Long.parseLong(text.strip()))));
        } catch (NumberFormatException _) {
            // A date, which no API server sends.
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
        return message.isEmpty() ? "the server responded " + code : message;
    }

    private static boolean isStatus(JsonObject object) {
        return object.text("kind").equals("Status") && object.text("apiVersion").equals("v1");
    }
}
