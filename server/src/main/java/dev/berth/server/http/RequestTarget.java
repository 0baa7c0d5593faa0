package dev.berth.server.http;

import dev.berth.server.registry.ApiError;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/// What an address means.
public sealed interface RequestTarget {

    /// Objects of a kind.
    ///
    /// @param namespace empty for none or all
    /// @param name empty for all of them
    /// @param subresource empty for none
    /// @param watching true for the old form of watching, with `watch` in the address
    record OfObjects(
            String group,
            String version,
            String namespace,
            String plural,
            String name,
            String subresource,
            boolean watching)
            implements RequestTarget {}

    /// Anything else.
    record Page(String path) implements RequestTarget {}

    /// Reads an address.
    static RequestTarget parse(String rawPath) {
        var parts = segments(rawPath);
        if (parts.size() >= 3 && parts.getFirst().equals("api")) {
            return objects("", parts.get(1), parts.subList(2, parts.size()), rawPath);
        }
        if (parts.size() >= 4 && parts.getFirst().equals("apis")) {
            return objects(parts.get(1), parts.get(2), parts.subList(3, parts.size()), rawPath);
        }
        return new Page("/" + String.join("/", parts));
    }

    private static RequestTarget objects(
            String group, String version, List<String> all, String rawPath) {
        var watching = all.getFirst().equals("watch") && all.size() > 1;
        var parts = watching ? all.subList(1, all.size()) : all;
        var namespace = "";
        // "namespaces/x" is a namespace, and so is "namespaces/x/status"; what is in one is longer.
        if (parts.size() >= 3
                && parts.getFirst().equals("namespaces")
                && !List.of("status", "finalize").contains(parts.get(2))) {
            namespace = parts.get(1);
            parts = parts.subList(2, parts.size());
        }
        if (parts.size() > 3) {
            return new Page(rawPath);
        }
        return new OfObjects(
                group,
                version,
                namespace,
                parts.getFirst(),
                parts.size() > 1 ? parts.get(1) : "",
                parts.size() > 2 ? parts.get(2) : "",
                watching);
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
            throw ApiError.badRequest("the address has a broken escape in \"%s\"".formatted(part))
                    .exception();
        }
        checkPart(text);
        return text;
    }

    /// Refuses a target that no address could mean.
    static void check(OfObjects target) {
        checkPart(target.namespace);
        checkPart(target.name);
        checkPart(target.subresource);
    }

    private static void checkPart(String text) {
        if (text.equals(".") || text.equals("..") || text.contains("/") || text.contains("\0")) {
            throw ApiError.badRequest(
                            "\"%s\" cannot stand in an address as the name of anything"
                                    .formatted(text.replace("\0", "\\0")))
                    .exception();
        }
    }
}
