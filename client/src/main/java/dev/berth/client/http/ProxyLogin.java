package dev.berth.client.http;

import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;

/// User and password for a proxy.
///
/// They are sent with the first request rather than after a refusal: Java's client would ask an
/// authenticator for them, and one that has an authenticator drops the token for the server.
final class ProxyLogin {

    private static final String DISABLED = "jdk.http.auth.tunneling.disabledSchemes";

    static {
        // Java's client keeps passwords from proxies that tunnel unless told otherwise, and looks
        // only once. Who sets it on the command line knows better.
        if (System.getProperty(DISABLED) == null) {
            System.setProperty(DISABLED, "");
        }
    }

    private ProxyLogin() {}

    /// What to send a proxy whose address has a user in it.
    static Optional<String> of(Optional<URI> proxy) {
        return proxy.flatMap(one -> Optional.ofNullable(one.getRawUserInfo()))
                .map(ProxyLogin::basic);
    }

    private static String basic(String userInfo) {
        var colon = userInfo.indexOf(':');
        var user = decoded(colon < 0 ? userInfo : userInfo.substring(0, colon));
        var password = colon < 0 ? "" : decoded(userInfo.substring(colon + 1));
        var both = (user + ":" + password).getBytes(StandardCharsets.UTF_8);
        return "Basic " + Base64.getEncoder().encodeToString(both);
    }

    /// A plus is a plus here, unlike in forms.
    private static String decoded(String text) {
        return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    }
}
