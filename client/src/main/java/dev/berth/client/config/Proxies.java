package dev.berth.client.config;

import java.net.URI;
import java.util.Locale;
import java.util.Optional;

/// Finds the proxy for a server: `HTTPS_PROXY` and `NO_PROXY`.
final class Proxies {

    private Proxies() {}

    static Optional<URI> fromEnvironment(URI server, ProgramEnvironment environment) {
        var exempt =
                environment
                        .variable("NO_PROXY")
                        .or(() -> environment.variable("no_proxy"))
                        .orElse("");
        if (new NoProxy(exempt).exempts(server)) {
            return Optional.empty();
        }
        return environment
                .variable("HTTPS_PROXY")
                .or(() -> environment.variable("https_proxy"))
                .map(text -> parse(text, "the variable HTTPS_PROXY"));
    }

    /// Parses the URL of a proxy.
    ///
    /// @param where the location of the setting, for messages
    static URI parse(String text, String where) {
        var full = text.contains("://") ? text : "http://" + text;
        URI proxy;
        try {
            proxy = URI.create(full);
        } catch (IllegalArgumentException _) {
            throw invalidUrl(where);
        }
        var scheme = String.valueOf(proxy.getScheme()).toLowerCase(Locale.ROOT);
        if (!scheme.equals("http")) {
            throw new ConfigException(
                    ("%s is a proxy with scheme %s; only http:// proxies are supported"
                                    + " (they tunnel HTTPS)")
                            .formatted(where, scheme));
        }
        if (proxy.getHost() == null) {
            throw invalidUrl(where);
        }
        return proxy;
    }

    /// Contains neither the text nor the cause, since they may contain a password.
    private static ConfigException invalidUrl(String where) {
        return new ConfigException(
                where
                        + " is not a URL such as http://proxy:3128 or"
                        + " http://user:password@proxy:3128 (write %40 for @ in a password)");
    }
}
