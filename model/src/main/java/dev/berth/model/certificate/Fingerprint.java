package dev.berth.model.certificate;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.cert.X509Certificate;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Optional;

/// SHA-256 fingerprint of a certificate, for pinning: the certificate needs no authority.
///
/// @param hex 64 digits, in lower case
public record Fingerprint(String hex) {

    private static final String FORM = "[0-9a-f]{64}";

    public Fingerprint {
        if (!hex.matches(FORM)) {
            throw new IllegalArgumentException("\"" + hex + "\" is not 64 hexadecimal digits");
        }
    }

    public static Fingerprint of(X509Certificate certificate) {
        try {
            var digest = MessageDigest.getInstance("SHA-256").digest(certificate.getEncoded());
            return new Fingerprint(HexFormat.of().formatHex(digest));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("a certificate without fingerprint", e);
        }
    }

    /// Parses a fingerprint, also in upper case and with colons; empty when it is malformed.
    public static Optional<Fingerprint> parse(String text) {
        var digits = text.strip().replace(":", "").toLowerCase(Locale.ROOT);
        return digits.matches(FORM) ? Optional.of(new Fingerprint(digits)) : Optional.empty();
    }

    @Override
    public String toString() {
        return hex;
    }
}
