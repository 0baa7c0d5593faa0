package dev.berth.node.endpoint;

import dev.berth.client.config.ClientCertificate;
import dev.berth.model.certificate.CertificateTemplate;
import dev.berth.model.certificate.CertificateTemplate.Use;
import dev.berth.model.certificate.Fingerprint;
import dev.berth.model.certificate.Pem;
import dev.berth.node.file.AtomicFile;
import dev.berth.node.file.PrivateDirectory;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
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

/// The certificate of a door, which nobody but its key vouches for: the node tells its fingerprint
/// to the cluster. It is kept, so that a door that was started anew is still known.
record EndpointCertificate(X509Certificate certificate, PrivateKey key) {

    private static final Duration LIFE = Duration.ofDays(365);

    /// Clocks of clients may be behind ours by so much.
    private static final Duration HEAD_START = Duration.ofMinutes(5);

    private static final int SERIAL_BITS = 126;
    private static final String PRIVATE = "rw-------";

    /// The one that is kept in a directory; a new one when there is none, when it cannot be read,
    /// or when less than a third of its life is left.
    static EndpointCertificate open(Path directory, String host, Clock clock) {
        var file = directory.resolve("door.pem");
        try {
            PrivateDirectory.make(directory);
            var now = clock.instant();
            var kept = read(file).filter(one -> one.isFresh(now));
            return kept.isPresent() ? kept.get() : made(file, host, now);
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
            // Whoever knew it will be told the new one.
            return Optional.empty();
        }
    }

    private boolean isFresh(Instant now) {
        var until = certificate.getNotAfter().toInstant();
        return now.isBefore(until.minus(LIFE.dividedBy(3)))
                && !now.isBefore(certificate.getNotBefore().toInstant());
    }

    private static EndpointCertificate made(Path file, String host, Instant now)
            throws IOException, GeneralSecurityException {
        var generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(new ECGenParameterSpec("secp256r1"));
        var pair = generator.generateKeyPair();
        var from = now.truncatedTo(ChronoUnit.SECONDS);
        var form =
                new CertificateTemplate(
                        new BigInteger(SERIAL_BITS, new SecureRandom()).add(BigInteger.ONE),
                        Use.SERVER,
                        "berth-node",
                        List.of(),
                        List.of(host),
                        from.minus(HEAD_START),
                        from.plus(LIFE));
        var certificate = form.signed(pair.getPublic(), Optional.empty(), pair.getPrivate());
        var text = Pem.of(certificate) + Pem.of(pair.getPrivate());
        AtomicFile.write(file, text.getBytes(StandardCharsets.US_ASCII), PRIVATE);
        return new EndpointCertificate(certificate, pair.getPrivate());
    }

    Fingerprint fingerprint() {
        return Fingerprint.of(certificate);
    }

    ClientCertificate asCredential() {
        return new ClientCertificate(List.of(certificate), key);
    }

    /// Without the key: this may end up in a log.
    @Override
    public String toString() {
        return "DoorCertificate[" + fingerprint() + "]";
    }
}
