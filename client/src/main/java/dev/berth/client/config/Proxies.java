package dev.berth.client.config;

import java.net.URI;
import java.util.Locale;
import java.util.Optional;

/// Through which proxy to go, as the environment has it for other programs.
final class Proxies {

    private Proxies() {}

    static Optional<URI> fromEnvironment(URI server, ProgramEnvironment around) {
        var exempt = around.variable("NO_PROXY").or(() -> around.variable("no_proxy")).orElse("");
        if (new NoProxy(exempt).exempts(server)) {
            return Optional.empty();
        }
        return around.variable("HTTPS_PROXY")
                .or(() -> around.variable("https_proxy"))
                .map(text -> parse(text, "the variable HTTPS_PROXY"));
    }

    /// The address of a proxy.
    ///
    /// @param where it is written
    static URI parse(String text, String where) {
        var full = text.contains("://") ? text : "http://" + text;
        URI proxy;
        try {
            proxy = URI.create(full);
        } catch (IllegalArgumentException _) {
            throw noAddress(where);
        }
        var scheme = String.valueOf(proxy.getScheme()).toLowerCase(Locale.ROOT);
        if (!scheme.equals("http")) {
            throw new ConfigException(
                    "%s is a proxy of scheme %s; only http:// proxies work (they tunnel HTTPS)"
                            .formatted(where, scheme));
        }
        if (proxy.getHost() == null) {
            throw noAddress(where);
        }
        return proxy;
    }

    /// Without the text and without its cause, since there may be a password in them.
    private static ConfigException noAddress(String where) {
        return new ConfigException(
                where
                        + " is not an address such as http://proxy:3128 or"
                        + " http://user:password@proxy:3128 (write %40 for @ in a password)");
    }
}
