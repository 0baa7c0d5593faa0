package dev.berth.server.auth;

import dev.berth.model.certificate.CertificateTemplate;
import dev.berth.model.certificate.CertificateTemplate.Use;
import dev.berth.model.certificate.Der;
import dev.berth.model.certificate.Pem;
import dev.berth.model.file.PrivateDirectory;
import dev.berth.model.file.PrivateFile;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/// The certificate authority of the server and its clients. It is created at first start and stored
/// in a directory that only its owner can read.
///
/// Certificates with less than a third of their lifetime left are renewed when they are opened. A
/// renewed authority keeps its key and its name, so that clients that trust the old certificate
/// also trust everything that was and will be issued.
public final class CertificateAuthority {

    private static final Duration AUTHORITY_LIFETIME = Duration.ofDays(3650);
    private static final Duration LEAF_LIFETIME = Duration.ofDays(365);

    /// Maximum clock skew: clocks of clients may be behind by this much.
    private static final Duration CLOCK_SKEW = Duration.ofMinutes(5);

    private static final int SERIAL_BITS = 126;
    private static final String NAME = "berth-ca";

    /// Names of the API server inside a cluster, and those of this machine.
    private static final List<String> SERVER_NAMES =
            List.of(
                    "localhost",
                    "127.0.0.1",
                    "::1",
                    "kubernetes",
                    "kubernetes.default",
                    "kubernetes.default.svc",
                    "kubernetes.default.svc.cluster.local");

    private final Path directory;
    private final Clock clock;
    private final SecureRandom random = new SecureRandom();
    private final Credential own;

    private CertificateAuthority(Path directory, Clock clock) throws IOException {
        this.directory = directory;
        this.clock = clock;
        PrivateDirectory.make(directory);
        this.own = loadOrCreate();
    }

    /// Opens the authority stored in a directory, or creates one.
    public static CertificateAuthority open(Path directory, Clock clock) {
        try {
            return new CertificateAuthority(directory, clock);
        } catch (IOException e) {
            throw new PkiException(
                    "cannot store keys in %s: %s; use a directory that this user owns"
                            .formatted(directory, e.getMessage()),
                    e);
        }
    }

    /// The certificate that clients must trust.
    public X509Certificate certificate() {
        return own.certificate();
    }

    public String certificatePem() {
        return own.certificatePem();
    }

    /// The serving certificate: the stored one if it is valid and has all these names, otherwise a
    /// new one.
    ///
    /// @param moreNames host names and addresses in addition to those of this machine and of a
    ///   cluster
    public Credential server(Collection<String> moreNames) {
        var names = new LinkedHashSet<>(SERVER_NAMES);
        names.addAll(moreNames);
        names.forEach(CertificateAuthority::checkName);
        return loadOrIssue("server", Use.SERVER, "berth", List.of(), List.copyOf(names));
    }

    /// A client certificate that is stored here under a file name such as `admin`.
    public Credential client(String file, String user, List<String> groups) {
        return loadOrIssue(file, Use.CLIENT, user, groups, List.of());
    }

    /// A client certificate that is not stored here.
    public Credential issueClient(String user, List<String> groups) {
        try {
            return issued(Use.CLIENT, user, groups, List.of());
        } catch (GeneralSecurityException e) {
            throw new PkiException("cannot issue a certificate for " + user, e);
        }
    }

    private static void checkName(String name) {
        if (CertificateTemplate.address(name).isEmpty()
                && !name.matches("[A-Za-z0-9*_]([A-Za-z0-9._-]{0,251}[A-Za-z0-9])?")) {
            throw new PkiException(
                    "\"%s\" is not a valid server name: use a host name or an IP address"
                            .formatted(name));
        }
    }

    private Credential loadOrCreate() throws IOException {
        try {
            var found = read(NAME_FILE);
            if (found.isEmpty()) {
                var pair = newPair();
                return store(NAME_FILE, selfSigned(pair.getPublic(), pair.getPrivate()));
            }
            var stored = found.get();
            requirePair(NAME_FILE, stored);
            return isFresh(stored.certificate())
                    ? stored
                    : store(
                            NAME_FILE,
                            selfSigned(stored.certificate().getPublicKey(), stored.key()));
        } catch (GeneralSecurityException e) {
            throw damaged(NAME_FILE, e);
        }
    }

    private static final String NAME_FILE = "ca";

    private Credential loadOrIssue(
            String file, Use use, String user, List<String> groups, List<String> names) {
        try {
            var found = read(file).filter(one -> isUsable(one, user, groups, names));
            return found.isPresent() ? found.get() : store(file, issued(use, user, groups, names));
        } catch (GeneralSecurityException e) {
            throw damaged(file, e);
        } catch (IOException e) {
            throw new PkiException(
                    "cannot store %s in %s: %s".formatted(file, directory, e.getMessage()), e);
        }
    }

    private boolean isUsable(
            Credential stored, String user, List<String> groups, List<String> names) {
        try {
            stored.certificate().verify(own.certificate().getPublicKey());
            requirePair("", stored);
        } catch (GeneralSecurityException _) {
            return false;
        }
        var subject = CertificateSubjects.of(stored.certificate());
        return isFresh(stored.certificate())
                && subject.commonName().equals(user)
                && Set.copyOf(subject.organizations()).equals(Set.copyOf(groups))
                && CertificateSubjects.names(stored.certificate()).equals(canonical(names));
    }

    private static Set<String> canonical(List<String> names) {
        var all = new TreeSet<String>();
        for (var name : names) {
            all.add(
                    CertificateTemplate.address(name)
                            .map(one -> one.getHostAddress())
                            .orElse(name));
        }
        return all;
    }

    private boolean isFresh(X509Certificate certificate) {
        var from = certificate.getNotBefore().toInstant();
        var until = certificate.getNotAfter().toInstant();
        var third = Duration.between(from, until).dividedBy(3);
        var now = clock.instant();
        return !now.isBefore(from) && now.isBefore(until.minus(third));
    }

    private Credential selfSigned(PublicKey key, PrivateKey signingKey)
            throws GeneralSecurityException {
        var template = template(Use.AUTHORITY, NAME, List.of(), List.of(), AUTHORITY_LIFETIME);
        return new Credential(template.signed(key, Optional.empty(), signingKey), signingKey);
    }

    private Credential issued(Use use, String user, List<String> groups, List<String> names)
            throws GeneralSecurityException {
        var pair = newPair();
        var template = template(use, user, groups, names, LEAF_LIFETIME);
        var certificate = template.signed(pair.getPublic(), Optional.of(certificate()), own.key());
        return new Credential(certificate, pair.getPrivate());
    }

    private CertificateTemplate template(
            Use use, String name, List<String> groups, List<String> names, Duration lifetime) {
        var now = clock.instant().truncatedTo(ChronoUnit.SECONDS);
        var serial = new BigInteger(SERIAL_BITS, random).add(BigInteger.ONE);
        return new CertificateTemplate(
                serial,
                use,
                name,
                groups,
                names,
                now.minus(CLOCK_SKEW),
                expiry(now.plus(lifetime), use));
    }

    /// No certificate outlives that of its issuer.
    private Instant expiry(Instant requested, Use use) {
        if (use == Use.AUTHORITY) {
            return requested;
        }
        var last = own.certificate().getNotAfter().toInstant();
        return requested.isBefore(last) ? requested : last;
    }

    static KeyPair newPair() throws GeneralSecurityException {
        var generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(new ECGenParameterSpec("secp256r1"));
        return generator.generateKeyPair();
    }

    private Optional<Credential> read(String file) throws IOException, GeneralSecurityException {
        var certificate = directory.resolve(file + ".crt");
        var key = directory.resolve(file + ".key");
        if (!Files.exists(certificate) && !Files.exists(key)) {
            return Optional.empty();
        }
        if (!Files.exists(key)) {
            throw new GeneralSecurityException("its key is missing");
        }
        if (!Files.exists(certificate)) {
            throw new GeneralSecurityException("its certificate is missing");
        }
        return Optional.of(
                new Credential(
                        Pem.certificate(PrivateFile.read(certificate)),
                        Pem.privateKey(PrivateFile.read(key))));
    }

    private Credential store(String file, Credential credential) throws IOException {
        PrivateFile.write(directory.resolve(file + ".key"), credential.keyPem());
        PrivateFile.write(directory.resolve(file + ".crt"), credential.certificatePem());
        return credential;
    }

    private void requirePair(String file, Credential credential) throws GeneralSecurityException {
        if (!isPair(credential.certificate().getPublicKey(), credential.key())) {
            throw new GeneralSecurityException(
                    "the key of " + file + " does not match its certificate");
        }
    }

    /// True when the public key verifies what the private key signs.
    static boolean isPair(PublicKey publicKey, PrivateKey key) throws GeneralSecurityException {
        var sample = Der.ascii("sample");
        var signature = Signature.getInstance("SHA256withECDSA");
        signature.initSign(key);
        signature.update(sample);
        var signed = signature.sign();
        signature.initVerify(publicKey);
        signature.update(sample);
        return signature.verify(signed);
    }

    private PkiException damaged(String file, GeneralSecurityException cause) {
        return new PkiException(
                ("%s/%s.crt and %s.key cannot be used: %s; restore both from a backup, or remove"
                                + " both to create new ones")
                        .formatted(directory, file, file, cause.getMessage()),
                cause);
    }
}
