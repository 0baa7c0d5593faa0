package dev.berth.client.config;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/// Reads private keys from PEM in the forms that kubeconfigs hold: PKCS #8, and the older ones of
/// RSA (PKCS #1) and of elliptic curves (SEC 1), which are wrapped into PKCS #8 for Java.
public final class PrivateKeys {

    private static final int INTEGER = 0x02;
    private static final int OCTETS = 0x04;
    private static final int OID = 0x06;
    private static final int SEQUENCE = 0x30;

    /// The element of SEC 1 that names the curve.
    private static final int PARAMETERS = 0xA0;

    private static final byte[] VERSION_0 = {INTEGER, 1, 0};
    private static final byte[] RSA = {
        SEQUENCE, 13, OID, 9, 0x2A, (byte) 0x86, 0x48, (byte) 0x86, (byte) 0xF7, 13, 1, 1, 1, 5, 0
    };
    private static final byte[] EC_OID = {
        OID, 7, 0x2A, (byte) 0x86, 0x48, (byte) 0xCE, 0x3D, 0x02, 0x01
    };

    private static final List<String> ALGORITHMS = List.of("EC", "RSA", "EdDSA");

    private PrivateKeys() {}

    /// Reads the private key of a PEM text.
    public static PrivateKey read(String pem) throws GeneralSecurityException {
        var pkcs8 = block("PRIVATE KEY", pem);
        if (pkcs8.isPresent()) {
            return key(pkcs8.get());
        }
        var rsa = block("RSA PRIVATE KEY", pem);
        if (rsa.isPresent()) {
            return key(wrapped(RSA, rsa.get()));
        }
        var curve = block("EC PRIVATE KEY", pem);
        if (curve.isPresent()) {
            var which = curveOf(curve.get()).or(() -> block("EC PARAMETERS", pem));
            if (which.isEmpty()) {
                throw new InvalidKeyException("the EC key does not name its curve");
            }
            return key(wrapped(element(SEQUENCE, EC_OID, which.get()), curve.get()));
        }
        if (pem.contains("ENCRYPTED")) {
            throw new InvalidKeyException("the key is encrypted; store it without a passphrase");
        }
        throw new InvalidKeyException("no PEM block PRIVATE KEY found");
    }

    private static PrivateKey key(byte[] pkcs8) throws GeneralSecurityException {
        var spec = new PKCS8EncodedKeySpec(pkcs8);
        for (var algorithm : ALGORITHMS) {
            try {
                return KeyFactory.getInstance(algorithm).generatePrivate(spec);
            } catch (InvalidKeySpecException _) {
                // Not this algorithm.
            }
        }
        throw new InvalidKeyException("the key is none of " + ALGORITHMS + ", or is damaged");
    }

    private static Optional<byte[]> block(String what, String pem) throws IllegalArgumentException {
        var begin = "-----BEGIN " + what + "-----";
        var from = pem.indexOf(begin);
        var to = pem.indexOf("-----END " + what + "-----", Math.max(0, from));
        if (from < 0 || to < 0) {
            return Optional.empty();
        }
        var text = pem.substring(from + begin.length(), to);
        if (text.contains("Proc-Type")) {
            return Optional.empty();
        }
        return Optional.of(
                Base64.getMimeDecoder().decode(text.getBytes(StandardCharsets.ISO_8859_1)));
    }

    private static byte[] wrapped(byte[] algorithm, byte[] key) {
        return element(SEQUENCE, VERSION_0, algorithm, element(OCTETS, key));
    }

    private static byte[] element(int tag, byte[]... contents) {
        var length = Arrays.stream(contents).mapToInt(content -> content.length).sum();
        var bytes = new ByteArrayOutputStream();
        bytes.write(tag);
        if (length < 0x80) {
            bytes.write(length);
        } else if (length < 0x100) {
            bytes.write(0x81);
            bytes.write(length);
        } else {
            bytes.write(0x82);
            bytes.write(length >> 8);
            bytes.write(length);
        }
        for (var content : contents) {
            bytes.writeBytes(content);
        }
        return bytes.toByteArray();
    }

    /// The parameters inside `SEQUENCE { version, key, [0] parameters, [1] public key }`.
    private static Optional<byte[]> curveOf(byte[] sec1) {
        var at = content(sec1, 0);
        while (at < sec1.length) {
            var from = content(sec1, at);
            var to = from + length(sec1, at);
            if (to > sec1.length || to <= at) {
                return Optional.empty();
            }
            if ((sec1[at] & 0xFF) == PARAMETERS) {
                return Optional.of(Arrays.copyOfRange(sec1, from, to));
            }
            at = to;
        }
        return Optional.empty();
    }

    /// Offset of the element's content.
    private static int content(byte[] der, int at) {
        return at + 2 + (at + 1 < der.length ? lengthBytes(der[at + 1]) : 0);
    }

    private static int length(byte[] der, int at) {
        if (at + 1 >= der.length) {
            return 0;
        }
        var lengthBytes = lengthBytes(der[at + 1]);
        if (lengthBytes == 0) {
            return der[at + 1];
        }
        var length = 0;
        for (var i = 0; i < lengthBytes && at + 2 + i < der.length; i++) {
            length = (length << 8) | (der[at + 2 + i] & 0xFF);
        }
        return length;
    }

    /// Number of length bytes after the first.
    private static int lengthBytes(byte first) {
        return first >= 0 ? 0 : first & 0x7F;
    }
}
