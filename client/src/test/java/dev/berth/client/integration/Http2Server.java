package dev.berth.client.integration;

import dev.berth.client.http.ClientOptions;
import dev.berth.client.http.HttpCluster;
import dev.berth.server.auth.CertificateAuthority;
import dev.berth.server.auth.ServerTls;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.SNIHostName;
import org.eclipse.jetty.alpn.server.ALPNServerConnectionFactory;
import org.eclipse.jetty.http2.server.HTTP2ServerConnectionFactory;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.io.RateControl;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.ssl.SslContextFactory;

/// A scripted server with TLS and HTTP/2.
final class Http2Server implements AutoCloseable {

    private final Path directory;
    private final CertificateAuthority authority;
    private final Server server = new Server();
    private final ServerConnector connector;
    private final List<String> names = new CopyOnWriteArrayList<>();
    private final List<String> protocols = new CopyOnWriteArrayList<>();

    /// Responds to one request.
    @FunctionalInterface
    interface Script {
        void respond(String target, OutputStream body) throws Exception;
    }

    /// @param streams limit of concurrent streams of a connection
    Http2Server(Path directory, int streams, Script script) throws Exception {
        this.directory = directory;
        this.authority = CertificateAuthority.open(directory, Clock.systemUTC());
        var http2 = new HTTP2ServerConnectionFactory(new HttpConfiguration());
        http2.setMaxConcurrentStreams(streams);
        http2.setRateControlFactory(new RateControl.Factory() {});
        var alpn = new ALPNServerConnectionFactory();
        alpn.setDefaultProtocol(http2.getProtocol());
        var factory = new SslContextFactory.Server();
        factory.setSslContext(
                ServerTls.context(authority, authority.server(List.of("extra.example"))));
        this.connector =
                new ServerConnector(
                        server, new SslConnectionFactory(factory, alpn.getProtocol()), alpn, http2);
        connector.setHost("127.0.0.1");
        server.addConnector(connector);
        server.setHandler(new Scripted(script));
        server.start();
    }

    private final class Scripted extends Handler.Abstract {
        private final Script script;

        Scripted(Script script) {
            this.script = script;
        }

        @Override
        public boolean handle(Request request, Response response, Callback callback)
                throws Exception {
            protocols.add(request.getConnectionMetaData().getProtocol());
            recordConnection(request.getConnectionMetaData().getConnection().getEndPoint());
            Thread.startVirtualThread(() -> {
                try (var body = Content.Sink.asOutputStream(response)) {
                    script.respond(request.getHttpURI().getPathQuery(), body);
                    callback.succeeded();
                } catch (Exception e) {
                    callback.failed(e);
                }
            });
            return true;
        }
    }

    private void recordConnection(EndPoint endPoint) {
        if (endPoint.getSslSessionData().sslSession() instanceof ExtendedSSLSession session) {
            for (var name : session.getRequestedServerNames()) {
                names.add(name instanceof SNIHostName host ? host.getAsciiName() : "?");
            }
        }
    }

    /// The server names (SNI) of the connections of all requests.
    List<String> names() {
        return names;
    }

    /// The protocols of all requests.
    List<String> protocols() {
        return protocols;
    }

    /// Number of connected clients.
    int connections() {
        return connector.getConnectedEndPoints().size();
    }

    /// A client of the server.
    ///
    /// @param serverName the `tls-server-name`; empty for none
    HttpCluster cluster(String host, String serverName, ClientOptions options) throws IOException {
        var name = serverName.isEmpty() ? "" : ", tls-server-name: " + serverName;
        var ca =
                Base64.getEncoder()
                        .encodeToString(
                                authority.certificatePem().getBytes(StandardCharsets.UTF_8));
        var file = directory.resolve("http2.kubeconfig");
        Files.writeString(
                file,
                """
                current-context: c
                contexts: [{name: c, context: {cluster: c, user: u}}]
                clusters:
                - name: c
                  cluster: {server: "https://%s:%d", certificate-authority-data: %s%s}
                users: [{name: u, user: {token: t}}]
                """
                        .formatted(host, connector.getLocalPort(), ca, name));
        return new HttpCluster(Servers.accessIn(file, directory), options);
    }

    @Override
    public void close() {
        try {
            server.stop();
        } catch (Exception e) {
            throw new IllegalStateException("the server did not stop", e);
        }
    }
}
