package dev.berth.server.nodes;

import dev.berth.model.certificate.Fingerprint;
import java.net.Socket;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;

/// Believes one certificate, whatever it says and whoever vouches for it. Being of the extended
/// kind it also keeps Java from comparing names.
public final class PinnedCertificateTrust extends X509ExtendedTrustManager {

    private final Fingerprint expected;

    public PinnedCertificateTrust(Fingerprint expected) {
        this.expected = expected;
    }

    private void check(X509Certificate[] chain) throws CertificateException {
        if (chain.length == 0) {
            throw new CertificateException("the node shows no certificate");
        }
        var shown = Fingerprint.of(chain[0]);
        if (!shown.equals(expected)) {
            throw new CertificateException(
                    "the node shows the certificate %s, and its Node object tells %s"
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
        throw noServer();
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine)
            throws CertificateException {
        throw noServer();
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type)
            throws CertificateException {
        throw noServer();
    }

    private static CertificateException noServer() {
        return new CertificateException("this is for the client's side");
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return new X509Certificate[0];
    }
}
