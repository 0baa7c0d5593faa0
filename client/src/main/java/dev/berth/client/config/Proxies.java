package dev.berth.client.config;

import java.net.URI;
import java.util.Locale;
import java.util.Optional;

/// Through which proxy to go, as the environment has it for other programs.
final class Proxies {

    private Proxies() {}

    static Optional<URI> fromEnvironment(URI server, Surroundings around) {
        var host = String.valueOf(server.getHost());
        if (isLoopback(host) || isExempt(host, around)) {
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
        } catch (IllegalArgumentException e) {
            throw new ConfigException(where + " is not an address such as http://proxy:3128", e);
        }
        var scheme = String.valueOf(proxy.getScheme()).toLowerCase(Locale.ROOT);
        if (!scheme.equals("http")) {
            throw new ConfigException(
                    "%s is a proxy of scheme %s; only http:// proxies work (they tunnel HTTPS)"
                            .formatted(where, scheme));
        }
        if (proxy.getHost() == null || proxy.getUserInfo() != null) {
            throw new ConfigException(
                    where + " must be an address without user and password: http://proxy:3128");
        }
        return proxy;
    }

    private static boolean isLoopback(String host) {
        return host.equals("localhost") || host.startsWith("127.") || host.equals("[::1]");
    }

    private static boolean isExempt(String host, Surroundings around) {
        var exempt = around.variable("NO_PROXY").or(() -> around.variable("no_proxy")).orElse("");
        for (var one : exempt.split(",", -1)) {
            var name = one.strip();
            var domain = name.startsWith(".") ? name : "." + name;
            if (name.equals("*")
                    || (!name.isEmpty() && (host.equals(name) || host.endsWith(domain)))) {
                return true;
            }
        }
        return false;
    }
}
