package dev.berth.node.endpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.server.auth.CertificateAuthority;
import dev.berth.server.auth.Credential;
import dev.berth.server.auth.KubeconfigWriter;
import dev.berth.server.auth.ServerTls;
import dev.berth.server.nodes.PinnedCertificateTrust;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Mutual authentication of API server and node endpoint.
class EndpointTrustTest {

    @TempDir Path home;
    private EndpointRig rig;

    @BeforeEach
    void start() {
        rig = new EndpointRig(home);
    }

    @AfterEach
    void stop() {
        if (rig != null) {
            rig.close();
        }
    }

    private HttpResponse<String> get(CertificateAuthority authority, Credential client, String path)
            throws Exception {
        var tls =
                ServerTls.context(
                        authority, client, new PinnedCertificateTrust(rig.endpoint.fingerprint()));
        try (var http = HttpClient.newBuilder().sslContext(tls).build()) {
            var uri = URI.create("https://127.0.0.1:%d%s".formatted(rig.endpoint.port(), path));
            return http.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
        }
    }

    private HttpResponse<String> getAs(String user, String path) throws Exception {
        var authority = rig.server.authority();
        return get(authority, authority.issueClient(user, List.of()), path);
    }

    @Test
    void theApiServerIsAuthorized() throws Exception {
        rig.pod("p", "c");

        assertThat(getAs("berth-apiserver-kubelet-client", "/healthz").body()).isEqualTo("ok");
        assertThat(getAs("berth-apiserver-kubelet-client", "/metrics").body())
                .contains("endpoints_opened_total 1.0");
        assertThat(getAs("berth-apiserver-kubelet-client", "/pods").body())
                .startsWith("{\"kind\":\"PodList\"")
                .contains("\"name\":\"p\"");
        assertThat(getAs("berth-apiserver-kubelet-client", "/run").statusCode()).isEqualTo(404);
    }

    @Test
    void otherClientsAreForbidden() throws Exception {
        var other = getAs("system:node:other", "/healthz");

        assertThat(other.statusCode()).isEqualTo(403);
        assertThat(other.body())
                .contains("\"system:node:other\" is not an authorized client of this node");
    }

    @Test
    void clientsWithoutCertificateAreUnauthorized() throws Exception {
        // The client does not send a certificate of another CA: the endpoint lists those it
        // accepts.
        var stranger = CertificateAuthority.open(home.resolve("stranger"), Clock.systemUTC());
        var client = stranger.issueClient("berth-apiserver-kubelet-client", List.of());

        var uri = URI.create("https://127.0.0.1:%d/pods".formatted(rig.endpoint.port()));
        var tls = SSLContext.getInstance("TLS");
        tls.init(
                null,
                new TrustManager[] {new PinnedCertificateTrust(rig.endpoint.fingerprint())},
                null);
        try (var http = HttpClient.newBuilder().sslContext(tls).build()) {
            var response = http.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
            assertThat(response.statusCode()).isEqualTo(401);
        }
        assertThatThrownBy(() -> get(stranger, client, "/pods")).isInstanceOf(IOException.class);
    }

    @Test
    void anEndpointWithAnotherCertificateIsRejected() {
        rig.register("00".repeat(32));
        var pod = rig.pod("p", "c");
        rig.runtime.running(pod, "c", 0, rig.log("p", "c", 0, "secret"));

        assertThat(rig.fails("logs", "p"))
                .contains("(ServiceUnavailable)")
                .contains("cannot connect to node machine")
                .contains("the node presented certificate " + rig.endpoint.fingerprint());
        assertThat(rig.fails("exec", "p", "--", "true"))
                .contains("the node presented certificate " + rig.endpoint.fingerprint());
        assertThat(rig.runtime.alive()).isZero();
    }

    @Test
    void anUnreachableEndpointIsReported() {
        rig.register();
        rig.pod("p", "c");
        rig.endpoint.close();

        assertThat(rig.fails("logs", "p"))
                .contains("cannot connect to node machine at 127.0.0.1:")
                .contains("check that its agent is running");
    }

    @Test
    void aUserNeedsPermission() throws Exception {
        rig.register();
        var pod = rig.pod("p", "c");
        rig.runtime.running(pod, "c", 0, rig.log("p", "c", 0, "text"));
        role("reader", "pods,pods/log", "get,list");
        role("half", "pods,pods/log,pods/exec", "get");
        role("runner", "pods,pods/exec", "get,create");

        assertThat(as("reader", "logs", "p").out()).isEqualTo("text\n");
        assertThat(as("runner", "logs", "p").err()).contains("cannot get resource \"pods/log\"");
        assertThat(as("runner", "exec", "p", "--", "echo", "yes").out()).isEqualTo("yes\n");
        assertThat(as("half", "exec", "p", "--", "echo", "yes").err())
                .contains("cannot create resource \"pods/exec\"");
        assertThat(as("reader", "exec", "p", "--", "true").err())
                .contains("resource \"pods/exec\"");
    }

    private void role(String user, String resources, String verbs) {
        rig.ok("create", "role", user, "--resource=" + resources, "--verb=" + verbs);
        rig.ok("create", "rolebinding", user, "--role=" + user, "--user=" + user);
    }

    private EndpointRig.Run as(String user, String... arguments) throws Exception {
        var authority = rig.server.authority();
        var file = home.resolve(user + ".kubeconfig");
        KubeconfigWriter.write(
                file,
                rig.server.uri().toString(),
                authority.certificatePem(),
                authority.issueClient(user, List.of()));
        return rig.startAs(file, arguments).end();
    }
}
