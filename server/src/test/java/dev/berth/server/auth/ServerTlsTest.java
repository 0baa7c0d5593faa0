package dev.berth.server.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.server.access.User;
import java.net.InetAddress;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ServerTlsTest {

    private static final int PATIENCE_MILLIS = 20_000;

    @TempDir private Path data;
    private CertificateAuthority authority;

    @BeforeEach
    void makeAuthority() {
        authority = CertificateAuthority.open(data.resolve("pki"), Clock.systemUTC());
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void clientCertificateIsVerified(String protocol) throws Exception {
        var jane = authority.issueClient("jane", List.of("devs"));

        var seen = handshake(ServerTls.context(authority, jane), protocol);

        assertThat(seen).isEqualTo("jane [devs] " + protocol);
    }

    @Test
    void clientWithoutCertificateIsAccepted() throws Exception {
        assertThat(handshake(ServerTls.context(authority), "TLSv1.3"))
                .isEqualTo("anonymous TLSv1.3");
    }

    @Test
    void certificateOfAnotherAuthorityIsRejected() {
        var other = CertificateAuthority.open(data.resolve("other"), Clock.systemUTC());
        var forged = ServerTls.context(authority, other.issueClient("jane", List.of(User.MASTERS)));

        // The client is forced to send a certificate of another authority; its chain then ends in
        // an untrusted root.
        assertThatThrownBy(() -> handshake(forged, "TLSv1.2")).isInstanceOf(Exception.class);
    }

    @Test
    void servingCertificateIsNotValidForClients() {
        var server = ServerTls.context(authority, authority.server(List.of()));

        assertThatThrownBy(() -> handshake(server, "TLSv1.2")).isInstanceOf(Exception.class);
    }

    @Test
    void oldProtocolIsRejected() {
        assertThatThrownBy(() -> handshake(ServerTls.context(authority), "TLSv1.1"))
                .isInstanceOf(Exception.class);
    }

    private String handshake(SSLContext client, String protocol) throws Exception {
        var server = ServerTls.context(authority, authority.server(List.of()));
        var loopback = InetAddress.getLoopbackAddress();
        try (var listening =
                        (SSLServerSocket)
                                server.getServerSocketFactory().createServerSocket(0, 1, loopback);
                var thread = Executors.newVirtualThreadPerTaskExecutor()) {
            listening.setSoTimeout(PATIENCE_MILLIS);
            listening.setSSLParameters(ServerTls.serverParameters());
            Callable<String> serving = () -> serve(listening);
            var seen = thread.submit(serving);
            try (var socket =
                    (SSLSocket)
                            client.getSocketFactory()
                                    .createSocket(loopback, listening.getLocalPort())) {
                socket.setSoTimeout(PATIENCE_MILLIS);
                socket.setEnabledProtocols(new String[] {protocol});
                var parameters = socket.getSSLParameters();
                parameters.setEndpointIdentificationAlgorithm("HTTPS");
                socket.setSSLParameters(parameters);
                socket.startHandshake();
                socket.getOutputStream().write(1);
                assertThat(socket.getInputStream().read()).isEqualTo(2);
            }
            return seen.get();
        } catch (ExecutionException e) {
            throw new SSLException(e);
        }
    }

    private static String serve(SSLServerSocket listening) throws Exception {
        try (var socket = (SSLSocket) listening.accept()) {
            socket.setSoTimeout(PATIENCE_MILLIS);
            assertThat(socket.getInputStream().read()).isEqualTo(1);
            var session = socket.getSession();
            socket.getOutputStream().write(2);
            return commonName(session.getPeerCertificates()) + " " + session.getProtocol();
        } catch (SSLPeerUnverifiedException _) {
            return "anonymous TLSv1.3";
        }
    }

    private static String commonName(java.security.cert.Certificate[] chain) {
        var subject = CertificateSubjects.of((X509Certificate) chain[0]);
        return subject.commonName() + " " + subject.organizations();
    }
}
