package dev.berth.server.auth;

import dev.berth.model.certificate.Pem;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.security.interfaces.ECPrivateKey;

/// A certificate and its private key.
public record Credential(X509Certificate certificate, PrivateKey key) {

    public String certificatePem() {
        try {
            return Pem.of(certificate);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("cannot encode certificate", e);
        }
    }

    /// The private key, for files that only their owner can read.
    public String keyPem() {
        return Pem.of(key);
    }

    /// The private key for a kubeconfig: the fabric8 client assumes RSA unless the PEM header says
    /// otherwise.
    public String kubeconfigKeyPem() {
        return key instanceof ECPrivateKey curve
                ? Pem.ofCurve(curve, certificate.getPublicKey())
                : keyPem();
    }

    /// Without the key: this may be logged.
    @Override
    public String toString() {
        return "Credential[" + certificate.getSubjectX500Principal().getName() + "]";
    }
}
