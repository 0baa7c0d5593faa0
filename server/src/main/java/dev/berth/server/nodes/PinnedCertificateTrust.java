package dev.berth.server.nodes;

import dev.berth.model.certificate.Fingerprint;
import java.net.Socket;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;

/// Trusts exactly one certificate, regardless of its issuer and names. As an extended trust manager
/// it also disables Java's host name verification.
public final class PinnedCertificateTrust extends X509ExtendedTrustManager {

    private final Fingerprint expected;

    public PinnedCertificateTrust(Fingerprint expected) {
        this.expected = expected;
    }

    private void check(X509Certificate[] chain) throws CertificateException {
        if (chain.length == 0) {
            throw new CertificateException("the node presented no certificate");
        }
        var shown = Fingerprint.of(chain[0]);
        if (!shown.equals(expected)) {
            throw new CertificateException(
                    "the node presented certificate %s, but its Node object declares %s"
                            .formatted(shown, expected));
        }
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket)
            throws CertificateException {
        check(chain);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine)
            throws CertificateException {
        check(chain);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type)
            throws CertificateException {
        check(chain);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket)
            throws CertificateException {
        throw clientsUnsupported();
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine)
            throws CertificateException {
        throw clientsUnsupported();
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type)
            throws CertificateException {
        throw clientsUnsupported();
    }

    private static CertificateException clientsUnsupported() {
        return new CertificateException("PinnedCertificateTrust verifies servers only");
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return new X509Certificate[0];
    }
}
