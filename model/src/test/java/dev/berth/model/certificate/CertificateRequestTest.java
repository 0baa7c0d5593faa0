package dev.berth.model.certificate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CertificateRequestTest {

    private static byte[] attribute(String type, String value) {
        return Der.set(Der.sequence(Der.oid(type), Der.utf8(value)));
    }

    private static byte[] request(String keys, String signer, String oid)
            throws GeneralSecurityException {
        var pair = KeyPairGenerator.getInstance(keys).generateKeyPair();
        var info =
                Der.sequence(
                        Der.integer(BigInteger.ZERO),
                        Der.sequence(
                                attribute("2.5.4.10", "system:nodes"),
                                attribute("2.5.4.10", "system:masters"),
                                attribute("2.5.4.3", "system:node:n1")),
                        pair.getPublic().getEncoded(),
                        Der.tagged(0));
        var signature = Signature.getInstance(signer);
        signature.initSign(pair.getPrivate());
        signature.update(info);
        return Der.sequence(info, Der.sequence(Der.oid(oid)), Der.bits(0, signature.sign()));
    }

    private static String pem(byte[] der) {
        return "-----BEGIN CERTIFICATE REQUEST-----\n%s\n-----END CERTIFICATE REQUEST-----\n"
                .formatted(Base64.getMimeEncoder().encodeToString(der));
    }

    @ParameterizedTest
    @CsvSource({
        "EC, SHA256withECDSA, 1.2.840.10045.4.3.2",
        "RSA, SHA256withRSA, 1.2.840.113549.1.1.11",
        "Ed25519, Ed25519, 1.3.101.112",
    })
    void subjectIsReadAndSignatureVerified(String keys, String signer, String oid)
            throws GeneralSecurityException {
        var request = CertificateRequest.parse(pem(request(keys, signer, oid)));

        assertThat(request.commonName()).isEqualTo("system:node:n1");
        assertThat(request.organizations()).containsExactly("system:nodes", "system:masters");
    }

    @Test
    void changedRequestIsRefused() throws GeneralSecurityException {
        var der = request("EC", "SHA256withECDSA", "1.2.840.10045.4.3.2");
        for (var i = 0; i < der.length; i++) {
            var changed = der.clone();
            changed[i] ^= 0x55;

            assertThatThrownBy(() -> CertificateRequest.parse(pem(changed)))
                    .isInstanceOf(GeneralSecurityException.class);
        }
    }

    @Test
    void textWithTwoBlocksIsRefused() throws GeneralSecurityException {
        var one = pem(request("EC", "SHA256withECDSA", "1.2.840.10045.4.3.2"));

        assertThatThrownBy(() -> CertificateRequest.parse(one + one))
                .hasMessageContaining("more than one PEM block");
    }

    @Test
    void truncatedRequestIsRejected() throws GeneralSecurityException {
        var der = request("EC", "SHA256withECDSA", "1.2.840.10045.4.3.2");
        for (var length = 0; length < der.length; length++) {
            var cut = java.util.Arrays.copyOf(der, length);

            assertThatThrownBy(() -> CertificateRequest.parse(pem(cut)))
                    .isInstanceOf(GeneralSecurityException.class);
        }
    }
}
