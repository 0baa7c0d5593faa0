package dev.berth.client.config;

import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.List;

/// A client certificate and its private key.
///
/// @param chain the client certificate first, then its issuers
public record ClientCertificate(List<X509Certificate> chain, PrivateKey key) {

    public ClientCertificate {
        chain = List.copyOf(chain);
    }

    /// The subject; never the key.
    @Override
    public String toString() {
        return "certificate of " + chain.getFirst().getSubjectX500Principal();
    }
}
