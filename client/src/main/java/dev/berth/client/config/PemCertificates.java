package dev.berth.client.config;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;

/// Reads certificates from PEM.
final class PemCertificates {

    private PemCertificates() {}

    /// All certificates of a PEM text; at least one.
    static List<X509Certificate> read(String pem) throws GeneralSecurityException {
        var certificates = new ArrayList<X509Certificate>();
        var from = pem.indexOf("-----BEGIN CERTIFICATE-----");
        // Text before the first block is a comment, which the factory does not skip.
        var text = from < 0 ? "" : pem.substring(from);
        var bytes = new ByteArrayInputStream(text.getBytes(StandardCharsets.ISO_8859_1));
        for (var one : CertificateFactory.getInstance("X.509").generateCertificates(bytes)) {
            if (one instanceof X509Certificate certificate) {
                certificates.add(certificate);
            }
        }
        if (certificates.isEmpty()) {
            throw new CertificateException("no PEM block CERTIFICATE found");
        }
        return certificates;
    }

    static ClientCertificate client(String certificatePem, String keyPem)
            throws GeneralSecurityException {
        return new ClientCertificate(read(certificatePem), PrivateKeys.read(keyPem));
    }
}
