package dev.berth.server.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.server.access.User;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CertificateAuthorityTest {

    private static final Instant START = Instant.parse("2026-03-01T12:00:00Z");

    @TempDir private Path data;

    private CertificateAuthority at(Duration later) {
        return CertificateAuthority.open(
                data.resolve("pki"), Clock.fixed(START.plus(later), ZoneOffset.UTC));
    }

    @Test
    void authorityIsCreatedOnceAndReopened() {
        var first = at(Duration.ZERO).certificate();
        var second = at(Duration.ofDays(1)).certificate();

        assertThat(second).isEqualTo(first);
        assertThat(first.getBasicConstraints()).isEqualTo(Integer.MAX_VALUE);
        assertThat(first.getVersion()).isEqualTo(3);
        assertThat(first.getNotAfter().toInstant()).isEqualTo(START.plus(Duration.ofDays(3650)));
        assertThat(first.getKeyUsage()[5]).as("may sign certificates").isTrue();
    }

    @Test
    void filesAreReadableByTheOwnerOnly() throws IOException {
        at(Duration.ZERO).server(List.of());

        assertThat(mode(data.resolve("pki"))).isEqualTo("rwx------");
        try (var files = Files.list(data.resolve("pki"))) {
            assertThat(files.toList())
                    .extracting(file -> file.getFileName() + " " + mode(file))
                    .containsExactlyInAnyOrder(
                            "ca.crt rw-------",
                            "ca.key rw-------",
                            "server.crt rw-------",
                            "server.key rw-------");
        }
    }

    private static String mode(Path path) {
        try {
            return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void servingCertificateHasAllNames() throws Exception {
        var authority = at(Duration.ZERO);

        var server = authority.server(List.of("box.example.com", "10.0.0.7")).certificate();

        server.verify(authority.certificate().getPublicKey());
        assertThat(CertificateSubjects.names(server))
                .contains(
                        "localhost",
                        "127.0.0.1",
                        "0:0:0:0:0:0:0:1",
                        "kubernetes.default.svc.cluster.local",
                        "box.example.com",
                        "10.0.0.7");
        assertThat(server.getExtendedKeyUsage()).containsExactly("1.3.6.1.5.5.7.3.1");
        assertThat(server.getBasicConstraints()).isEqualTo(-1);
    }

    @Test
    void clientCertificateHasUserAndGroups() throws Exception {
        var admin = at(Duration.ZERO).client("admin", "jane, the \"admin\"", List.of("a=b", "c"));

        var subject = CertificateSubjects.of(admin.certificate());
        assertThat(subject.commonName()).isEqualTo("jane, the \"admin\"");
        assertThat(subject.organizations()).containsExactly("a=b", "c");
        assertThat(admin.certificate().getExtendedKeyUsage()).containsExactly("1.3.6.1.5.5.7.3.2");
    }

    @Test
    void certificatesAreRenewedInTheLastThirdOfTheirLifetime() {
        var first = at(Duration.ZERO).server(List.of()).certificate();

        assertThat(at(Duration.ofDays(243)).server(List.of()).certificate()).isEqualTo(first);
        assertThat(at(Duration.ofDays(244)).server(List.of()).certificate()).isNotEqualTo(first);
    }

    @Test
    void newNameIssuesANewCertificate() {
        var first = at(Duration.ZERO).server(List.of("a")).certificate();

        assertThat(at(Duration.ZERO).server(List.of("a")).certificate()).isEqualTo(first);
        assertThat(at(Duration.ZERO).server(List.of("b")).certificate()).isNotEqualTo(first);
    }

    @Test
    void renewedAuthorityStillVerifiesIssuedCertificates() throws Exception {
        var old = at(Duration.ZERO);
        var late = at(Duration.ofDays(2500));
        X509Certificate client = old.issueClient("u", List.of()).certificate();

        assertThat(late.certificate()).isNotEqualTo(old.certificate());
        client.verify(late.certificate().getPublicKey());
        assertThat(late.certificate().getSubjectX500Principal())
                .isEqualTo(client.getIssuerX500Principal());
    }

    @Test
    void damagedKeyIsReported() throws IOException {
        at(Duration.ZERO);
        Files.writeString(data.resolve("pki/ca.key"), "nothing");

        assertThatThrownBy(() -> at(Duration.ZERO))
                .isInstanceOf(PkiException.class)
                .hasMessageContaining("restore both from a backup");
    }

    @Test
    void invalidServerNameIsRejected() {
        var authority = at(Duration.ZERO);

        assertThatThrownBy(() -> authority.server(List.of("no name")))
                .hasMessageContaining(
                        "is not a valid server name: use a host name or an IP address");
    }

    @Test
    void toStringDoesNotContainKeys() {
        var admin = at(Duration.ZERO).client("admin", "jane", List.of("g"));

        assertThat(admin.toString()).isEqualTo("Credential[CN=jane,O=g]");
    }

    @Test
    void kubeconfigIsSelfContained() throws IOException {
        var authority = at(Duration.ZERO);
        var admin = authority.client("admin", "kubernetes-admin", List.of(User.MASTERS));
        var file = data.resolve("admin.conf");

        KubeconfigWriter.write(file, "https://127.0.0.1:6443", authority.certificatePem(), admin);

        assertThat(mode(file)).isEqualTo("rw-------");
        assertThat(Files.readString(file).replaceAll("[A-Za-z0-9+/=]{100,}", "BASE64"))
                .isEqualTo(
                        """
                        apiVersion: v1
                        kind: Config
                        clusters:
                        - name: berth
                          cluster:
                            server: "https://127.0.0.1:6443"
                            certificate-authority-data: BASE64
                        users:
                        - name: berth
                          user:
                            client-certificate-data: BASE64
                            client-key-data: BASE64
                        contexts:
                        - name: berth
                          context:
                            cluster: berth
                            user: berth
                        current-context: berth
                        preferences: {}
                        """);
    }
}
