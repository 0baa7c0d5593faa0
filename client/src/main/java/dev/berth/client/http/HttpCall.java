package dev.berth.client.http;

import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/// One HTTP request.
///
/// @param query names and values, not yet encoded
/// @param accept media types of the response
record HttpCall(
        String method, String path, Map<String, String> query, String accept, Optional<Body> body) {

    static final String JSON = "application/json";

    /// The body of a request.
    ///
    /// @param type the media type
    record Body(String type, HttpRequest.BodyPublisher bytes) {

        static Body of(String type, String text) {
            return of(type, text.getBytes(StandardCharsets.UTF_8));
        }

        static Body of(String type, byte[] bytes) {
            return new Body(type, HttpRequest.BodyPublishers.ofByteArray(bytes));
        }
    }

    static HttpCall get(String path) {
        return new HttpCall("GET", path, Map.of(), JSON, Optional.empty());
    }

    /// A copy with one more query parameter.
    HttpCall with(String name, String value) {
        var more = new LinkedHashMap<>(query);
        more.put(name, value);
        return new HttpCall(method, path, more, accept, body);
    }

    /// A copy that accepts other media types.
    HttpCall accepting(String types) {
        return new HttpCall(method, path, query, types, body);
    }

    /// True when it changes nothing, so that it can be retried.
    boolean isRead() {
        return method.equals("GET");
    }

    /// The path with the query.
    String target() {
        return query.isEmpty()
                ? path
                : path
                        + query.entrySet().stream()
                                .map(one -> one.getKey() + "=" + encoded(one.getValue()))
                                .collect(Collectors.joining("&", "?", ""));
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
