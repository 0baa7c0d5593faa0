package dev.berth.model.certificate;

import java.io.ByteArrayInputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.interfaces.ECPrivateKey;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.Arrays;
import java.util.Base64;

/// Keys and certificates in PEM format.
public final class Pem {

    private static final String CERTIFICATE = "CERTIFICATE";
    private static final String REQUEST = "CERTIFICATE REQUEST";
    private static final String PRIVATE_KEY = "PRIVATE KEY";
    private static final String PUBLIC_KEY = "PUBLIC KEY";
    private static final String CURVE_KEY = "EC PRIVATE KEY";
    private static final String P256 = "1.2.840.10045.3.1.7";
    private static final int SECRET_BYTES = 32;
    private static final int POINT_BYTES = 65;
    private static final int LINE = 64;

    private Pem() {}

    public static String of(X509Certificate certificate) throws GeneralSecurityException {
        return written(CERTIFICATE, certificate.getEncoded());
    }

    public static String of(PrivateKey key) {
        return written(PRIVATE_KEY, key.getEncoded());
    }

    /// The key in SEC 1 format (RFC 5915) with curve and public key, for clients that derive the
    /// algorithm from the PEM label.
    public static String ofCurve(ECPrivateKey key, PublicKey publicKey) {
        var secret = new byte[SECRET_BYTES];
        var number = key.getS().toByteArray();
        var length = Math.min(number.length, SECRET_BYTES);
        System.arraycopy(number, number.length - length, secret, SECRET_BYTES - length, length);
        var encoded = publicKey.getEncoded();
        var point = Arrays.copyOfRange(encoded, encoded.length - POINT_BYTES, encoded.length);
        return written(
                CURVE_KEY,
                Der.sequence(
                        Der.integer(BigInteger.ONE),
                        Der.octets(secret),
                        Der.tagged(0, Der.oid(P256)),
                        Der.tagged(1, Der.bits(0, point))));
    }

    public static String of(PublicKey key) {
        return written(PUBLIC_KEY, key.getEncoded());
    }

    public static X509Certificate certificate(String text) throws GeneralSecurityException {
        return certificate(content(CERTIFICATE, text));
    }

    public static X509Certificate certificate(byte[] der) throws GeneralSecurityException {
        var read =
                CertificateFactory.getInstance("X.509")
                        .generateCertificate(new ByteArrayInputStream(der));
        if (read instanceof X509Certificate certificate) {
            return certificate;
        }
        throw new CertificateException("no X.509 certificate");
    }

    public static PrivateKey privateKey(String text) throws GeneralSecurityException {
        return KeyFactory.getInstance("EC")
                .generatePrivate(new PKCS8EncodedKeySpec(content(PRIVATE_KEY, text)));
    }

    public static PublicKey publicKey(String text) throws GeneralSecurityException {
        return KeyFactory.getInstance("EC")
                .generatePublic(new X509EncodedKeySpec(content(PUBLIC_KEY, text)));
    }

    /// The content of a certificate request.
    static byte[] request(String text) throws GeneralSecurityException {
        return content(REQUEST, text);
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
