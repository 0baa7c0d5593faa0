package dev.berth.model.certificate;

import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.Signature;
import java.security.spec.X509EncodedKeySpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// A PKCS #10 certificate request whose signature has been verified: the requester holds the
/// private key.
///
/// @param commonName common name of the subject; the last of several, empty for none
/// @param organizations organizations of the subject, which Kubernetes uses as groups
public record CertificateRequest(String commonName, List<String> organizations) {

    private static final String COMMON_NAME = "2.5.4.3";
    private static final String ORGANIZATION = "2.5.4.10";

    public CertificateRequest {
        organizations = List.copyOf(organizations);
    }

    /// Parses the only PEM block of a text.
    public static CertificateRequest parse(String pem) throws GeneralSecurityException {
        // With several blocks, two parsers could read different requests from one text.
        if (pem.indexOf("-----BEGIN ") != pem.lastIndexOf("-----BEGIN ")) {
            throw new GeneralSecurityException("there is more than one PEM block");
        }
        return of(Pem.request(pem));
    }

    private static CertificateRequest of(byte[] der) throws GeneralSecurityException {
        var outer = new DerReader(der);
        var request = outer.next(DerReader.SEQUENCE).inside();
        if (outer.hasNext()) {
            throw new GeneralSecurityException("there is something behind the request");
        }
        var info = request.next(DerReader.SEQUENCE);
        var algorithm = request.next(DerReader.SEQUENCE).inside().next().oid();
        var signature = request.next(DerReader.BITS).content();
        var parts = info.inside();
        parts.next(DerReader.INTEGER);
        var subject = parts.next(DerReader.SEQUENCE);
        verify(parts.next(DerReader.SEQUENCE), algorithm, info.whole(), signature);
        return named(subject);
    }

    private static void verify(DerReader.Value key, String algorithm, byte[] text, byte[] bits)
            throws GeneralSecurityException {
        var kind = key.inside().next(DerReader.SEQUENCE).inside().next().oid();
        // The JDK also accepts object identifiers as algorithm names.
        var verifier = Signature.getInstance(algorithm);
        verifier.initVerify(
                KeyFactory.getInstance(kind).generatePublic(new X509EncodedKeySpec(key.whole())));
        verifier.update(text);
        // The first byte is the number of unused bits in the last one.
        if (bits.length == 0
                || bits[0] != 0
                || !verifier.verify(Arrays.copyOfRange(bits, 1, bits.length))) {
            throw new GeneralSecurityException("the signature is wrong");
        }
    }

    private static CertificateRequest named(DerReader.Value subject)
            throws GeneralSecurityException {
        var commonName = "";
        var organizations = new ArrayList<String>();
        var sets = subject.inside();
        while (sets.hasNext()) {
            var attributes = sets.next(DerReader.SET).inside();
            while (attributes.hasNext()) {
                var attribute = attributes.next(DerReader.SEQUENCE).inside();
                var type = attribute.next().oid();
                var value = attribute.next();
                switch (type) {
                    case COMMON_NAME -> commonName = value.text();
                    case ORGANIZATION -> organizations.add(value.text());
                    default -> {}
                }
            }
        }
        return new CertificateRequest(commonName, organizations);
    }
}
