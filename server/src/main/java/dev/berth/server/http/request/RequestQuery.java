package dev.berth.server.http.request;

import dev.berth.server.registry.ApiError;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/// The query parameters of a request.
public record RequestQuery(Map<String, List<String>> values) {

    public RequestQuery {
        values = Map.copyOf(values);
    }

    public static RequestQuery parse(String text) {
        var values = new LinkedHashMap<String, List<String>>();
        for (var part : text.split("&", -1)) {
            if (!part.isEmpty()) {
                var at = part.indexOf('=');
                var name = at < 0 ? part : part.substring(0, at);
                values.computeIfAbsent(decoded(name), _ -> new ArrayList<>())
                        .add(at < 0 ? "" : decoded(part.substring(at + 1)));
            }
        }
        return new RequestQuery(values);
    }

    /// Percent-decodes a text.
    private static String decoded(String text) {
        try {
            return URLDecoder.decode(text, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException _) {
            throw ApiError.badRequest("invalid escape in the URL: \"%s\"".formatted(text))
                    .exception();
        }
    }

    /// The first value of a parameter; empty when there is none.
    public String text(String name) {
        var all = all(name);
        return all.isEmpty() ? "" : all.getFirst();
    }

    /// All values of a parameter.
    public List<String> all(String name) {
        return values.getOrDefault(name, List.of());
    }

    public boolean flag(String name) {
        var text = text(name);
        return switch (text) {
            case "", "false", "0", "f", "F", "FALSE", "False" ->
                    text.isEmpty() && values.containsKey(name);
            case "true", "1", "t", "T", "TRUE", "True" -> true;
            default -> throw invalidParameter(name, text, "true or false");
        };
    }

    public OptionalLong number(String name) {
        var text = text(name);
        if (text.isEmpty()) {
            return OptionalLong.empty();
        }
        try {
            return OptionalLong.of(Long.parseLong(text));
        } catch (NumberFormatException _) {
            throw invalidParameter(name, text, "a number");
        }
    }

    private static RuntimeException invalidParameter(String name, String text, String expected) {
        return ApiError.badRequest(
                        "query parameter %s is \"%s\"; expected %s".formatted(name, text, expected))
                .exception();
    }
}
