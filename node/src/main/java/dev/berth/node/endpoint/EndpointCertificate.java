package dev.berth.node.endpoint;

import dev.berth.client.config.ClientCertificate;
import dev.berth.model.certificate.CertificateTemplate;
import dev.berth.model.certificate.CertificateTemplate.Use;
import dev.berth.model.certificate.Fingerprint;
import dev.berth.model.certificate.Pem;
import dev.berth.model.file.PrivateDirectory;
import dev.berth.model.file.PrivateFile;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;

/// Self-signed serving certificate of the endpoint. The node publishes its fingerprint in the
/// cluster, by which the API server authenticates it. It is persistent, so that a restarted
/// endpoint keeps its fingerprint.
record EndpointCertificate(X509Certificate certificate, PrivateKey key) {

    private static final Duration LIFETIME = Duration.ofDays(365);

    /// Clock skew tolerated at the start of the validity.
    private static final Duration CLOCK_SKEW = Duration.ofMinutes(5);

    private static final int SERIAL_BITS = 126;

    /// Reads the certificate from a directory, or creates it if it is absent, unreadable or has
    /// less than a third of its lifetime left.
    static EndpointCertificate open(Path directory, String host, Clock clock) {
        var file = directory.resolve("door.pem");
        try {
            PrivateDirectory.make(directory);
            var now = clock.instant();
            var kept = read(file).filter(one -> one.isFresh(now));
            return kept.isPresent() ? kept.get() : create(file, host, now);
        } catch (IOException | GeneralSecurityException e) {
            throw new IllegalStateException(
                    ("cannot keep the key of the node's endpoint in %s: %s; make it a directory"
                                    + " that this user owns")
                            .formatted(directory, e.getMessage()),
                    e);
        }
    }

    private static Optional<EndpointCertificate> read(Path file) throws IOException {
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        var text = Files.readString(file);
        try {
            return Optional.of(
                    new EndpointCertificate(Pem.certificate(text), Pem.privateKey(text)));
        } catch (GeneralSecurityException _) {
            // Replaced by a new certificate, whose fingerprint the node publishes.
            return Optional.empty();
        }
    }

    private boolean isFresh(Instant now) {
        var until = certificate.getNotAfter().toInstant();
        return now.isBefore(until.minus(LIFETIME.dividedBy(3)))
                && !now.isBefore(certificate.getNotBefore().toInstant());
    }

    private static EndpointCertificate create(Path file, String host, Instant now)
            throws IOException, GeneralSecurityException {
        var generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(new ECGenParameterSpec("secp256r1"));
        var pair = generator.generateKeyPair();
        var from = now.truncatedTo(ChronoUnit.SECONDS);
        var template =
                new CertificateTemplate(
                        new BigInteger(SERIAL_BITS, new SecureRandom()).add(BigInteger.ONE),
                        Use.SERVER,
                        "berth-node",
                        List.of(),
                        List.of(host),
                        from.minus(CLOCK_SKEW),
                        from.plus(LIFETIME));
        var certificate = template.signed(pair.getPublic(), Optional.empty(), pair.getPrivate());
        var text = Pem.of(certificate) + Pem.of(pair.getPrivate());
        PrivateFile.write(file, text);
        return new EndpointCertificate(certificate, pair.getPrivate());
    }

    Fingerprint fingerprint() {
        return Fingerprint.of(certificate);
    }

    ClientCertificate asCredential() {
        return new ClientCertificate(List.of(certificate), key);
    }

    /// Without the key, because this may be logged.
    @Override
    public String toString() {
        return "EndpointCertificate[" + fingerprint() + "]";
    }
}
