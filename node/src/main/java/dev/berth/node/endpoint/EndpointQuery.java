package dev.berth.node.endpoint;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/// Query parameters of a request.
record EndpointQuery(Map<String, List<String>> values) {

    EndpointQuery {
        values = Map.copyOf(values);
    }

    static EndpointQuery parse(String text) throws EndpointError {
        var values = new LinkedHashMap<String, List<String>>();
        for (var part : text.split("&", -1)) {
            if (!part.isEmpty()) {
                var at = part.indexOf('=');
                var name = decoded(at < 0 ? part : part.substring(0, at));
                values.computeIfAbsent(name, _ -> new ArrayList<>())
                        .add(at < 0 ? "" : decoded(part.substring(at + 1)));
            }
        }
        return new EndpointQuery(values);
    }

    static String decoded(String text) throws EndpointError {
        try {
            return URLDecoder.decode(text, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException _) {
            throw EndpointError.badRequest("invalid percent-encoding in \"%s\"".formatted(text));
        }
    }

    List<String> all(String name) {
        return values.getOrDefault(name, List.of());
    }

    String text(String name) {
        var all = all(name);
        return all.isEmpty() ? "" : all.getFirst();
    }

    boolean flag(String name) throws EndpointError {
        return switch (text(name)) {
            case "", "false", "0" -> false;
            case "true", "1" -> true;
            default -> throw invalid(name, "true or false");
        };
    }

    OptionalLong number(String name) throws EndpointError {
        if (text(name).isEmpty()) {
            return OptionalLong.empty();
        }
        try {
            var number = Long.parseLong(text(name));
            if (number >= 0) {
                return OptionalLong.of(number);
            }
        } catch (NumberFormatException _) {
            // Reported below.
        }
        throw invalid(name, "a number that is not negative");
    }

    EndpointError invalid(String name, String expected) {
        return EndpointError.badRequest(
                "query parameter %s is \"%s\"; expected %s".formatted(name, text(name), expected));
    }
}
