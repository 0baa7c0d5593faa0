package dev.berth.core.cel.library;

import dev.cel.common.types.CelType;
import java.util.List;
import java.util.Map;

/// A URL: an absolute URI or an absolute path. Parts are decoded unless their name starts with
/// `raw`.
///
/// @param opaque the part after the scheme when it is not a path, as in `mailto:me`
/// @param user user name and password with their separator; empty if absent
/// @param rawQuery the query without the question mark; empty if absent
public record Url(
        String scheme,
        String opaque,
        String user,
        String host,
        String escapedPath,
        String rawQuery,
        String fragment)
        implements KubernetesCelValue {

    /// Parses a URL; a [CelError] when the text is malformed.
    static Object parse(String text) {
        return switch (UrlSyntax.parse(text)) {
            case UrlSyntax.Parsed(var url) -> url;
            case UrlSyntax.Malformed(var reason) ->
                    new CelError("URL parse error during conversion from string: " + reason);
        };
    }

    /// The host name without port and brackets.
    String hostname() {
        var name = host.substring(0, endOfHost());
        return name.startsWith("[") && name.endsWith("]")
                ? name.substring(1, name.length() - 1)
                : name;
    }

    String port() {
        var end = endOfHost();
        return end == host.length() ? "" : host.substring(end + 1);
    }

    private int endOfHost() {
        var colon = host.lastIndexOf(':');
        return colon >= 0 && UrlSyntax.isPort(host.substring(colon)) ? colon : host.length();
    }

    /// The query values by key, both decoded; malformed pairs are omitted.
    Map<String, List<Object>> query() {
        return UrlSyntax.query(rawQuery);
    }

    @Override
    public CelType celType() {
        return CelTypes.URL;
    }
}
