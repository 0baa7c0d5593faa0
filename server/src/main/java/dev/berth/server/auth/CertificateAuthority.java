package dev.berth.server.auth;

import dev.berth.model.certificate.CertificateTemplate;
import dev.berth.model.certificate.CertificateTemplate.Use;
import dev.berth.model.certificate.Der;
import dev.berth.model.certificate.Pem;
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

/// The authority that vouches for the server and its clients. It is made on first start and kept in
/// a directory that only its owner can read.
///
/// What has less than a third of its life left is renewed when it is opened. The authority keeps
/// its key and its name when its certificate is renewed, so that whoever trusts the older one goes
/// on trusting what was issued and will be.
public final class CertificateAuthority {

    private static final Duration AUTHORITY_LIFE = Duration.ofDays(3650);
    private static final Duration LEAF_LIFE = Duration.ofDays(365);

    /// Clocks of clients may be behind ours by so much.
    private static final Duration HEAD_START = Duration.ofMinutes(5);

    private static final int SERIAL_BITS = 126;
    private static final String NAME = "berth-ca";

    /// The names that clients inside a cluster know the API by, and those of this machine.
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
        CredentialFiles.directory(directory);
        this.own = opened();
    }

    /// Opens the authority that is kept in a directory, or makes one there.
    public static CertificateAuthority open(Path directory, Clock clock) {
        try {
            return new CertificateAuthority(directory, clock);
        } catch (IOException e) {
            throw new PkiException(
                    "cannot keep keys in %s: %s; make it a directory that this user owns"
                            .formatted(directory, e.getMessage()),
                    e);
        }
    }

    /// What clients must trust.
    public X509Certificate certificate() {
        return own.certificate();
    }

    public String certificatePem() {
        return own.certificatePem();
    }

    /// The server's certificate: the one that is kept while it is good and has all these names,
    /// otherwise a new one.
    ///
    /// @param moreNames host names and addresses beside those of this machine and of a cluster
    public Credential server(Collection<String> moreNames) {
        var names = new LinkedHashSet<>(SERVER_NAMES);
        names.addAll(moreNames);
        names.forEach(CertificateAuthority::checkName);
        return kept("server", Use.SERVER, "berth", List.of(), List.copyOf(names));
    }

    /// A client's certificate that is kept under a name of ours, such as `admin`.
    public Credential client(String file, String user, List<String> groups) {
        return kept(file, Use.CLIENT, user, groups, List.of());
    }

    /// A client's certificate that is not kept here.
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
                    "\"%s\" is neither a host name nor an address; name the server by one of them"
                            .formatted(name));
        }
    }

    private Credential opened() throws IOException {
        try {
            var found = read(NAME_FILE);
            if (found.isEmpty()) {
                var pair = newPair();
                return stored(NAME_FILE, selfSigned(pair.getPublic(), pair.getPrivate()));
            }
            var kept = found.get();
            requirePair(NAME_FILE, kept);
            return isFresh(kept.certificate())
                    ? kept
                    : stored(NAME_FILE, selfSigned(kept.certificate().getPublicKey(), kept.key()));
        } catch (GeneralSecurityException e) {
            throw damaged(NAME_FILE, e);
        }
    }

    private static final String NAME_FILE = "ca";

    private Credential kept(
            String file, Use use, String user, List<String> groups, List<String> names) {
        try {
            var found = read(file).filter(one -> isGood(one, user, groups, names));
            return found.isPresent() ? found.get() : stored(file, issued(use, user, groups, names));
        } catch (GeneralSecurityException e) {
            throw damaged(file, e);
        } catch (IOException e) {
            throw new PkiException(
                    "cannot keep %s in %s: %s".formatted(file, directory, e.getMessage()), e);
        }
    }

    private boolean isGood(Credential kept, String user, List<String> groups, List<String> names) {
        try {
            kept.certificate().verify(own.certificate().getPublicKey());
            requirePair("", kept);
        } catch (GeneralSecurityException _) {
            return false;
        }
        var subject = CertificateSubjects.of(kept.certificate());
        return isFresh(kept.certificate())
                && subject.commonName().equals(user)
                && Set.copyOf(subject.organizations()).equals(Set.copyOf(groups))
                && CertificateSubjects.names(kept.certificate()).equals(canonical(names));
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
        var form = form(Use.AUTHORITY, NAME, List.of(), List.of(), AUTHORITY_LIFE);
        return new Credential(form.signed(key, Optional.empty(), signingKey), signingKey);
    }

    private Credential issued(Use use, String user, List<String> groups, List<String> names)
            throws GeneralSecurityException {
        var pair = newPair();
        var form = form(use, user, groups, names, LEAF_LIFE);
        var certificate = form.signed(pair.getPublic(), Optional.of(certificate()), own.key());
        return new Credential(certificate, pair.getPrivate());
    }

    private CertificateTemplate form(
            Use use, String name, List<String> groups, List<String> names, Duration life) {
        var now = clock.instant().truncatedTo(ChronoUnit.SECONDS);
        var serial = new BigInteger(SERIAL_BITS, random).add(BigInteger.ONE);
        return new CertificateTemplate(
                serial, use, name, groups, names, now.minus(HEAD_START), end(now.plus(life), use));
    }

    /// Nothing that is issued outlives its issuer.
    private Instant end(Instant wanted, Use use) {
        if (use == Use.AUTHORITY) {
            return wanted;
        }
        var last = own.certificate().getNotAfter().toInstant();
        return wanted.isBefore(last) ? wanted : last;
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
                        Pem.certificate(CredentialFiles.read(certificate)),
                        Pem.privateKey(CredentialFiles.read(key))));
    }

    private Credential stored(String file, Credential credential) throws IOException {
        CredentialFiles.write(directory.resolve(file + ".key"), credential.keyPem());
        CredentialFiles.write(directory.resolve(file + ".crt"), credential.certificatePem());
        return credential;
    }

    private void requirePair(String file, Credential credential) throws GeneralSecurityException {
        if (!isPair(credential.certificate().getPublicKey(), credential.key())) {
            throw new GeneralSecurityException(
                    "the key of " + file + " belongs to another certificate");
        }
    }

    /// True when what the one signs, the other verifies.
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

    private PkiException damaged(String file, GeneralSecurityException why) {
        return new PkiException(
                ("%s/%s.crt and %s.key cannot be used: %s; restore both from a backup, or move both"
                                + " away to have new ones made")
                        .formatted(directory, file, file, why.getMessage()),
                why);
    }
}
