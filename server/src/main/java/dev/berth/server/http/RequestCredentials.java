package dev.berth.server.http;

import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/// The credentials of a client.
///
/// @param certificates verified by the TLS handshake; the first is the client's own
/// @param headers the values of a header by its name
/// @param impersonation the `Impersonate-*` headers
public record RequestCredentials(
        List<X509Certificate> certificates,
        Function<String, List<String>> headers,
        Map<String, List<String>> impersonation) {

    public RequestCredentials {
        certificates = List.copyOf(certificates);
        impersonation = Map.copyOf(impersonation);
    }

    @Override
    public String toString() {
        return "credentials";
    }
}
