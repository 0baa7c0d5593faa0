package dev.berth.server.auth;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.Base64;

/// Keys and certificates as the text that files hold.
final class Pem {

    private static final String CERTIFICATE = "CERTIFICATE";
    private static final String PRIVATE_KEY = "PRIVATE KEY";
    private static final String PUBLIC_KEY = "PUBLIC KEY";
    private static final int LINE = 64;

    private Pem() {}

    static String of(X509Certificate certificate) throws GeneralSecurityException {
        return written(CERTIFICATE, certificate.getEncoded());
    }

    static String of(PrivateKey key) {
        return written(PRIVATE_KEY, key.getEncoded());
    }

    static String of(PublicKey key) {
        return written(PUBLIC_KEY, key.getEncoded());
    }

    static X509Certificate certificate(String text) throws GeneralSecurityException {
        return certificate(content(CERTIFICATE, text));
    }

    static X509Certificate certificate(byte[] der) throws GeneralSecurityException {
        var read =
                CertificateFactory.getInstance("X.509")
                        .generateCertificate(new ByteArrayInputStream(der));
        if (read instanceof X509Certificate certificate) {
            return certificate;
        }
        throw new CertificateException("no X.509 certificate");
    }

    static PrivateKey privateKey(String text) throws GeneralSecurityException {
        return KeyFactory.getInstance("EC")
                .generatePrivate(new PKCS8EncodedKeySpec(content(PRIVATE_KEY, text)));
    }

    static PublicKey publicKey(String text) throws GeneralSecurityException {
        return KeyFactory.getInstance("EC")
                .generatePublic(new X509EncodedKeySpec(content(PUBLIC_KEY, text)));
    }

    private static String written(String what, byte[] content) {
        var encoder = Base64.getMimeEncoder(LINE, new byte[] {'\n'});
        return "-----BEGIN %s-----\n%s\n-----END %s-----\n"
                .formatted(what, encoder.encodeToString(content), what);
    }

    private static byte[] content(String what, String text) throws GeneralSecurityException {
        var begin = "-----BEGIN " + what + "-----";
        var from = text.indexOf(begin);
        var to = text.indexOf("-----END " + what + "-----");
        if (from < 0 || to < from) {
            throw new GeneralSecurityException("there is no " + what + " block");
        }
        try {
            return Base64.getMimeDecoder()
                    .decode(
                            text.substring(from + begin.length(), to)
                                    .getBytes(StandardCharsets.ISO_8859_1));
        } catch (IllegalArgumentException e) {
            throw new GeneralSecurityException("the " + what + " block is not base64", e);
        }
    }
}
