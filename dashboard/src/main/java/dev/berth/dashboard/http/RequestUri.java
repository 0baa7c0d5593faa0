package dev.berth.dashboard.http;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Decoding of paths and queries.
final class RequestUri {

    private RequestUri() {}

    /// The decoded segments of a raw path; a segment may contain an encoded slash.
    static List<String> segments(String rawPath) throws DashboardError {
        var segments = new ArrayList<String>();
        for (var part : rawPath.split("/", -1)) {
            if (!part.isEmpty()) {
                segments.add(decoded(part.replace("+", "%2B")));
            }
        }
        return segments;
    }

    static Map<String, String> parameters(String rawQuery) throws DashboardError {
        var parameters = new HashMap<String, String>();
        for (var pair : rawQuery.split("&", -1)) {
            var equals = pair.indexOf('=');
            if (equals > 0) {
                parameters.put(
                        decoded(pair.substring(0, equals)), decoded(pair.substring(equals + 1)));
            }
        }
        return parameters;
    }

    private static String decoded(String text) throws DashboardError {
        try {
            return URLDecoder.decode(text, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException _) {
            throw DashboardError.badRequest("\"%s\" is not URL-encoded".formatted(text));
        }
    }
}
