package dev.berth.client.config;

import java.security.cert.X509Certificate;
import java.util.List;

/// How the certificate of the API server is verified.
public sealed interface ServerTrust {

    /// By the certificate authorities of the Java runtime.
    record SystemAuthorities() implements ServerTrust {}

    /// By these certificate authorities.
    record Authorities(List<X509Certificate> certificates) implements ServerTrust {
        public Authorities {
            certificates = List.copyOf(certificates);
        }
    }

    /// Not at all (`insecure-skip-tls-verify`).
    record Unverified() implements ServerTrust {}
}
