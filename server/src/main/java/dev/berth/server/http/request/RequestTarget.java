package dev.berth.server.http.request;

import dev.berth.server.operation.ObjectPath;
import dev.berth.server.registry.ApiError;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/// The parsed path of a request.
public sealed interface RequestTarget {

    /// A path of resources: a collection, an object or a subresource.
    ///
    /// @param watch true for the deprecated form of watching, with `watch` in the path
    record ResourcePath(ObjectPath path, boolean watch) implements RequestTarget {}

    /// Any other path.
    record NonResourcePath(String path) implements RequestTarget {}

    /// Parses a path.
    static RequestTarget parse(String rawPath) {
        var parts = segments(rawPath);
        if (parts.size() >= 3 && parts.getFirst().equals("api")) {
            return objects("", parts.get(1), parts.subList(2, parts.size()), rawPath);
        }
        if (parts.size() >= 4 && parts.getFirst().equals("apis")) {
            return objects(parts.get(1), parts.get(2), parts.subList(3, parts.size()), rawPath);
        }
        return new NonResourcePath("/" + String.join("/", parts));
    }

    private static RequestTarget objects(
            String group, String version, List<String> all, String rawPath) {
        var watch = all.getFirst().equals("watch") && all.size() > 1;
        var parts = watch ? all.subList(1, all.size()) : all;
        var namespace = "";
        // "namespaces/x" and "namespaces/x/status" are about the namespace itself; objects in a
        // namespace have longer paths.
        if (parts.size() >= 3
                && parts.getFirst().equals("namespaces")
                && !List.of("status", "finalize").contains(parts.get(2))) {
            namespace = parts.get(1);
            parts = parts.subList(2, parts.size());
        }
        if (parts.size() > 3) {
            return new NonResourcePath(rawPath);
        }
        return new ResourcePath(
                new ObjectPath(
                        group,
                        version,
                        namespace,
                        parts.getFirst(),
                        parts.size() > 1 ? parts.get(1) : "",
                        parts.size() > 2 ? parts.get(2) : ""),
                watch);
    }

    private static List<String> segments(String rawPath) {
        var parts = new ArrayList<String>();
        for (var part : rawPath.split("/", -1)) {
            if (!part.isEmpty()) {
                parts.add(decoded(part));
            }
        }
        return parts;
    }

    private static String decoded(String part) {
        var text = part;
        try {
            text = URLDecoder.decode(part.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException _) {
            throw ApiError.badRequest("invalid escape in the URL: \"%s\"".formatted(part))
                    .exception();
        }
        ObjectPath.checkSegment(text);
        return text;
    }
}
