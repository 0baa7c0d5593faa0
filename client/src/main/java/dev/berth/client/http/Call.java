package dev.berth.client.http;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/// One request of HTTP.
///
/// @param query names and values, not yet encoded
/// @param type of the body; empty for none
record Call(String method, String path, Map<String, String> query, String type, String body) {

    static Call get(String path) {
        return new Call("GET", path, Map.of(), "", "");
    }

    /// The same with one more parameter.
    Call with(String name, String value) {
        var more = new LinkedHashMap<>(query);
        more.put(name, value);
        return new Call(method, path, more, type, body);
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
