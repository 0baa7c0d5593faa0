package dev.berth.client.config;

import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.List;

/// A certificate with which a client proves who it is, and its key.
///
/// @param chain its own certificate first
public record ClientCertificate(List<X509Certificate> chain, PrivateKey key) {

    public ClientCertificate {
        chain = List.copyOf(chain);
    }

    /// Who it is for; never the key.
    @Override
    public String toString() {
        return "certificate of " + chain.getFirst().getSubjectX500Principal();
    }
}
