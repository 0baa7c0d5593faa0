package dev.berth.node.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Creation, persistence and renewal of the endpoint's certificate.
class EndpointCertificateTest {

    private static final Instant NOW = Instant.parse("2026-11-16T10:00:00Z");

    @TempDir Path directory;

    private EndpointCertificate open(Duration later) {
        return EndpointCertificate.open(
                directory, "127.0.0.1", Clock.fixed(NOW.plus(later), ZoneOffset.UTC));
    }

    @Test
    void itIsPersistent() throws Exception {
        var first = open(Duration.ZERO).fingerprint();

        assertThat(open(Duration.ofDays(200)).fingerprint()).isEqualTo(first);
        assertThat(Files.getPosixFilePermissions(directory.resolve("door.pem")))
                .isEqualTo(PosixFilePermissions.fromString("rw-------"));
    }

    @Test
    void itIsRenewedBeforeItExpires() {
        var first = open(Duration.ZERO).fingerprint();

        assertThat(open(Duration.ofDays(300)).fingerprint()).isNotEqualTo(first);
    }

    @Test
    void anUnreadableFileIsReplaced() throws Exception {
        var first = open(Duration.ZERO).fingerprint();
        Files.writeString(directory.resolve("door.pem"), "nonsense");

        assertThat(open(Duration.ZERO).fingerprint()).isNotEqualTo(first);
    }
}
