package dev.berth.server.auth;

import dev.berth.model.certificate.Pem;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.security.interfaces.ECPrivateKey;

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

    /// The key for a kubeconfig: fabric8's client takes a key for one of RSA unless its heading
    /// says otherwise.
    public String kubeconfigKeyPem() {
        return key instanceof ECPrivateKey curve
                ? Pem.ofCurve(curve, certificate.getPublicKey())
                : keyPem();
    }

    /// Without the key: this may end up in a log.
    @Override
    public String toString() {
        return "Credential[" + certificate.getSubjectX500Principal().getName() + "]";
    }
}
