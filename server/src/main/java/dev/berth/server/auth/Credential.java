package dev.berth.server.auth;

import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;

/// A certificate and the key that belongs to it.
public record Credential(X509Certificate certificate, PrivateKey key) {

    public String certificatePem() {
        try {
            return Pem.of(certificate);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("a certificate that cannot be written", e);
        }
    }

    /// The key itself: for files that only their owner can read.
    public String keyPem() {
        return Pem.of(key);
    }

    /// Without the key: this may end up in a log.
    @Override
    public String toString() {
        return "Credential[" + certificate.getSubjectX500Principal().getName() + "]";
    }
}
