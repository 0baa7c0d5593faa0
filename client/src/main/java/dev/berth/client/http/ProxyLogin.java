package dev.berth.client.http;

import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;

/// User and password for a proxy.
///
/// They are sent with the first request rather than after a 407: Java's client would get them from
/// an authenticator, and with an authenticator it drops the token for the server.
final class ProxyLogin {

    private static final String DISABLED = "jdk.http.auth.tunneling.disabledSchemes";

    static {
        // Java's client does not send passwords to tunnelling proxies by default, and reads this
        // property only once. A value of the command line has precedence.
        if (System.getProperty(DISABLED) == null) {
            System.setProperty(DISABLED, "");
        }
    }

    private ProxyLogin() {}

    /// The `Proxy-Authorization` header for a proxy URL with user info.
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

    /// Unlike in forms, a plus is not a space.
    private static String decoded(String text) {
        return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    }
}
