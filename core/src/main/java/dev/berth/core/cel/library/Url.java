package dev.berth.core.cel.library;

import dev.cel.common.types.CelType;
import java.util.List;
import java.util.Map;

/// A URL: an absolute URI or an absolute path. The parts are decoded unless their name says
/// otherwise.
///
/// @param opaque what follows the scheme when that is no path, as in `mailto:me`
/// @param user name and password with what is between them; empty if there is none
/// @param rawQuery without the question mark; empty if there is no question mark either
public record Url(
        String scheme,
        String opaque,
        String user,
        String host,
        String escapedPath,
        String rawQuery,
        String fragment)
        implements KubernetesCelValue {

    /// A URL, or the [CelError] that says why the text is none.
    static Object parse(String text) {
        return switch (UrlSyntax.parse(text)) {
            case UrlSyntax.Parsed(var url) -> url;
            case UrlSyntax.Malformed(var reason) ->
                    new CelError("URL parse error during conversion from string: " + reason);
        };
    }

    /// The host without port and without brackets.
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

    /// Values by key, both decoded; pairs that cannot be decoded are left out.
    Map<String, List<Object>> query() {
        return UrlSyntax.query(rawQuery);
    }

    @Override
    public CelType celType() {
        return CelTypes.URL;
    }
}
