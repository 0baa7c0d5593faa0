package dev.berth.client.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.interfaces.ECPrivateKey;
import java.util.Arrays;
import java.util.Base64;
import org.junit.jupiter.api.Test;

class PrivateKeysTest {

    /// Length of the PKCS #8 header before the PKCS #1 key of 2048 bits.
    private static final int RSA_HEAD = 26;

    /// Length of the PKCS #8 header before the SEC 1 key on P-256.
    private static final int EC_HEAD = 28;

    private static final byte[] P256 = {6, 8, 0x2A, (byte) 0x86, 0x48, (byte) 0xCE, 0x3D, 3, 1, 7};

    @Test
    void everyAlgorithmOfPkcs8IsRead() throws GeneralSecurityException {
        for (var algorithm : new String[] {"RSA", "EC", "Ed25519"}) {
            var key = key(algorithm);
            assertThat(PrivateKeys.read(pem("PRIVATE KEY", key.getEncoded()))).isEqualTo(key);
        }
    }

    @Test
    void pkcs1RsaKeysAreRead() throws GeneralSecurityException {
        var key = key("RSA");
        assertThat(PrivateKeys.read(pem("RSA PRIVATE KEY", tail(key, RSA_HEAD)))).isEqualTo(key);
    }

    @Test
    void ecKeysMayNameTheirCurveInAParametersBlock() throws GeneralSecurityException {
        var key = key("EC");
        var text = pem("EC PARAMETERS", P256) + pem("EC PRIVATE KEY", tail(key, EC_HEAD));
        assertThat(PrivateKeys.read(text)).isEqualTo(key);
    }

    @Test
    void ecKeysMayNameTheirCurveInside() throws GeneralSecurityException {
        var key = key("EC");
        var sec1 = tail(key, EC_HEAD);
        var inside = new ByteArrayOutputStream();
        inside.write(0x30);
        inside.write(sec1[1] + 2 + P256.length);
        inside.write(sec1, 2, sec1.length - 2);
        inside.write(0xA0);
        inside.write(P256.length);
        inside.writeBytes(P256);
        var text = pem("EC PRIVATE KEY", inside.toByteArray());
        // Java compares encodings, and this one has an additional element.
        assertThat(secret(PrivateKeys.read(text))).isEqualTo(secret(key));
    }

    @Test
    void invalidKeysAreReportedWithTheReason() {
        assertThatThrownBy(() -> PrivateKeys.read("nothing"))
                .hasMessageContaining("no PEM block PRIVATE KEY found");
        assertThatThrownBy(() -> PrivateKeys.read(pem("ENCRYPTED PRIVATE KEY", new byte[4])))
                .hasMessageContaining("encrypted");
        assertThatThrownBy(() -> PrivateKeys.read(pem("PRIVATE KEY", new byte[4])))
                .hasMessageContaining("damaged");
        assertThatThrownBy(() -> PrivateKeys.read(pem("EC PRIVATE KEY", new byte[4])))
                .hasMessageContaining("curve");
    }

    private static BigInteger secret(PrivateKey key) {
        return ((ECPrivateKey) key).getS();
    }

    private static byte[] tail(PrivateKey key, int head) {
        var encoded = key.getEncoded();
        return Arrays.copyOfRange(encoded, head, encoded.length);
    }

    static PrivateKey key(String algorithm) throws GeneralSecurityException {
        var generator = KeyPairGenerator.getInstance(algorithm);
        if (algorithm.equals("RSA")) {
            generator.initialize(2048);
        } else if (algorithm.equals("EC")) {
            generator.initialize(256);
        }
        return generator.generateKeyPair().getPrivate();
    }

    private static String pem(String what, byte[] content) {
        return "-----BEGIN %s-----\n%s\n-----END %s-----\n"
                .formatted(what, Base64.getMimeEncoder().encodeToString(content), what);
    }
}
