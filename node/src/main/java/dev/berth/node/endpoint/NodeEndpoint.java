package dev.berth.node.endpoint;

import dev.berth.client.config.ServerTrust;
import dev.berth.client.http.ClientTls;
import dev.berth.metrics.MetricsRegistry;
import dev.berth.model.certificate.Fingerprint;
import dev.berth.model.text.FailureText;
import dev.berth.node.runtime.ContainerRuntime;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeoutException;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.SecureRequestCustomizer;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.eclipse.jetty.websocket.server.ServerWebSocketContainer;

/// The node's HTTPS endpoint.
///
/// An API server finds it by the Node object: an address of type `InternalIP`, the port in
/// `status.daemonEndpoints.kubeletEndpoint.Port`, and [#fingerprint] in the annotation
/// [dev.berth.model.certificate.NodeTrustNames#SERVING_CERTIFICATE].
public final class NodeEndpoint implements AutoCloseable {

    /// Selectors and acceptors; requests run on virtual threads.
    private static final int PLATFORM_THREADS = 8;

    /// Idle timeout of the kubelet: a followed log may be silent for long.
    private static final Duration IDLE_TIMEOUT = Duration.ofHours(4);

    private static final Duration STOP_TIMEOUT = Duration.ofSeconds(2);

    private final Server server;
    private final ServerConnector connector;
    private final ExecutorService threads;
    private final EndpointOptions options;
    private final Fingerprint fingerprint;

    private NodeEndpoint(EndpointOptions options, EndpointCertificate certificate) {
        this.options = options;
        this.fingerprint = certificate.fingerprint();
        this.threads =
                Executors.newThreadPerTaskExecutor(
                        Thread.ofVirtual().name("endpoint-", 0).factory());
        var pool = new QueuedThreadPool(PLATFORM_THREADS);
        pool.setName("endpoint");
        this.server = new Server(pool);
        server.setStopTimeout(STOP_TIMEOUT.toMillis());
        ServerWebSocketContainer.ensure(server);
        this.connector = connector(options, certificate);
        server.addConnector(connector);
    }

    /// Starts the endpoint.
    ///
    /// @param metrics content of `/metrics`
    public static NodeEndpoint start(
            EndpointOptions options,
            ContainerRuntime runtime,
            PodLookup pods,
            MetricsRegistry metrics) {
        var certificate =
                EndpointCertificate.open(options.directory(), options.host(), options.clock());
        var endpoint = new NodeEndpoint(options, certificate);
        endpoint.server.setHandler(
                new EndpointHandler(
                        options,
                        new EndpointHandler.Sources(runtime, pods, metrics),
                        endpoint.threads));
        try {
            endpoint.server.start();
        } catch (Exception e) {
            endpoint.close();
            throw new IllegalStateException(
                    "the node cannot listen on %s port %d: %s; choose another address or port"
                            .formatted(options.host(), options.port(), problem(e)),
                    e);
        }
        return endpoint;
    }

    /// The innermost message: the outer ones only repeat the address.
    private static String problem(Exception e) {
        Throwable cause = e;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        return FailureText.of(cause);
    }

    private ServerConnector connector(EndpointOptions options, EndpointCertificate certificate) {
        var configuration = new HttpConfiguration();
        configuration.setSendServerVersion(false);
        configuration.setUriCompliance(UriCompliance.UNSAFE);
        var customizer = new SecureRequestCustomizer();
        // Clients authenticate this server by its fingerprint, not by a host name.
        customizer.setSniHostCheck(false);
        configuration.addCustomizer(customizer);
        var factory = new SslContextFactory.Server();
        factory.setSslContext(
                ClientTls.context(
                        new ServerTrust.Authorities(options.authorities()),
                        Optional.of(certificate.asCredential()),
                        ""));
        factory.setWantClientAuth(true);
        var http = new HttpConnectionFactory(configuration);
        var created =
                new ServerConnector(
                        server, 1, 1, new SslConnectionFactory(factory, http.getProtocol()), http);
        created.setHost(options.host());
        created.setPort(options.port());
        created.setIdleTimeout(IDLE_TIMEOUT.toMillis());
        return created;
    }

    /// The address that it listens on.
    public String host() {
        return options.host();
    }

    public int port() {
        return connector.getLocalPort();
    }

    /// Fingerprint of the serving certificate.
    public Fingerprint fingerprint() {
        return fingerprint;
    }

    @Override
    public void close() {
        threads.shutdownNow();
        try {
            server.stop();
        } catch (TimeoutException _) {
            // A request in progress was aborted; the server has stopped.
        } catch (Exception e) {
            throw new IllegalStateException("the node's endpoint did not stop", e);
        }
    }
}
