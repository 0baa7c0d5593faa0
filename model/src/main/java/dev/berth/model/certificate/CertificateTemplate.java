package dev.berth.model.certificate;

import java.math.BigInteger;
import java.net.InetAddress;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Contents of a certificate to be signed. The JDK parses certificates but has no public API to
/// create them, so this class encodes them: X.509 version 3 (RFC 5280), P-256 with SHA-256.
///
/// @param organizations groups of a client; empty for other certificates
/// @param names host names and IP addresses of a server; empty for other certificates
public record CertificateTemplate(
        BigInteger serial,
        Use use,
        String commonName,
        List<String> organizations,
        List<String> names,
        Instant from,
        Instant until) {

    public enum Use {
        AUTHORITY,
        SERVER,
        CLIENT
    }

    private static final byte[] ECDSA_WITH_SHA256 = Der.sequence(Der.oid("1.2.840.10045.4.3.2"));

    public CertificateTemplate {
        organizations = List.copyOf(organizations);
        names = List.copyOf(names);
    }

    /// Signs the certificate.
    ///
    /// @param issuer certificate of the authority; empty for a self-signed certificate
    public X509Certificate signed(
            PublicKey key, Optional<X509Certificate> issuer, PrivateKey signingKey)
            throws GeneralSecurityException {
        var issuerKey = issuer.map(X509Certificate::getPublicKey).orElse(key);
        var content =
                Der.sequence(
                        Der.tagged(0, Der.integer(BigInteger.TWO)),
                        Der.integer(serial),
                        ECDSA_WITH_SHA256,
                        issuer.map(one -> one.getSubjectX500Principal().getEncoded())
                                .orElseGet(this::subject),
                        Der.sequence(Der.time(from), Der.time(until)),
                        subject(),
                        key.getEncoded(),
                        Der.tagged(3, extensions(key, issuerKey)));
        var signature = Signature.getInstance("SHA256withECDSA");
        signature.initSign(signingKey);
        signature.update(content);
        return Pem.certificate(
                Der.sequence(content, ECDSA_WITH_SHA256, Der.bits(0, signature.sign())));
    }

    private byte[] subject() {
        var parts = new ArrayList<byte[]>();
        for (var organization : organizations) {
            parts.add(Der.set(Der.sequence(Der.oid("2.5.4.10"), Der.utf8(organization))));
        }
        parts.add(Der.set(Der.sequence(Der.oid("2.5.4.3"), Der.utf8(commonName))));
        return Der.sequence(parts.toArray(byte[][]::new));
    }

    private byte[] extensions(PublicKey key, PublicKey issuerKey) throws GeneralSecurityException {
        var all = new ArrayList<byte[]>();
        var isAuthority = use == Use.AUTHORITY;
        var constraints = isAuthority ? Der.sequence(Der.bool(true)) : Der.sequence();
        all.add(extension("2.5.29.19", true, constraints));
        // keyCertSign and cRLSign for an authority, digitalSignature otherwise.
        all.add(
                extension(
                        "2.5.29.15",
                        true,
                        isAuthority ? Der.bits(1, (byte) 0x06) : Der.bits(7, (byte) 0x80)));
        if (!isAuthority) {
            var purpose = use == Use.SERVER ? "1.3.6.1.5.5.7.3.1" : "1.3.6.1.5.5.7.3.2";
            all.add(extension("2.5.29.37", false, Der.sequence(Der.oid(purpose))));
        }
        all.add(extension("2.5.29.14", false, Der.octets(fingerprint(key))));
        all.add(
                extension(
                        "2.5.29.35",
                        false,
                        Der.sequence(Der.taggedPlain(0, fingerprint(issuerKey)))));
        if (!names.isEmpty()) {
            all.add(extension("2.5.29.17", false, alternativeNames()));
        }
        return Der.sequence(all.toArray(byte[][]::new));
    }

    private static byte[] extension(String oid, boolean critical, byte[] value) {
        return critical
                ? Der.sequence(Der.oid(oid), Der.bool(true), Der.octets(value))
                : Der.sequence(Der.oid(oid), Der.octets(value));
    }

    private byte[] alternativeNames() {
        var values = new ArrayList<byte[]>();
        for (var name : names) {
            var address = address(name);
            values.add(
                    address.isPresent()
                            ? Der.taggedPlain(7, address.get().getAddress())
                            : Der.taggedPlain(2, Der.ascii(name)));
        }
        return Der.sequence(values.toArray(byte[][]::new));
    }

    /// The IP address that a text represents; empty for host names. Does not query DNS.
    public static Optional<InetAddress> address(String name) {
        try {
            return Optional.of(InetAddress.ofLiteral(name));
        } catch (IllegalArgumentException _) {
            return Optional.empty();
        }
    }

    private static byte[] fingerprint(PublicKey key) throws GeneralSecurityException {
        var digest = MessageDigest.getInstance("SHA-256").digest(key.getEncoded());
        return java.util.Arrays.copyOf(digest, 20);
    }
}
