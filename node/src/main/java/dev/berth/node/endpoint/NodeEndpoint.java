package dev.berth.node.endpoint;

import dev.berth.client.config.ServerTrust;
import dev.berth.client.http.ClientTls;
import dev.berth.model.certificate.Fingerprint;
import dev.berth.model.text.FailureText;
import dev.berth.node.runtime.ContainerRuntime;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
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

/// The node's own HTTPS endpoint, open until it is closed.
///
/// An API server finds it by what the node tells of itself: an address of type `InternalIP`, the
/// port in `status.daemonEndpoints.kubeletEndpoint.Port`, and [#fingerprint] in the annotation
/// [dev.berth.model.certificate.NodeTrustNames#SERVING_CERTIFICATE].
public final class NodeEndpoint implements AutoCloseable {

    /// Selectors and acceptors; requests run on virtual threads.
    private static final int PLATFORM_THREADS = 8;

    /// As a kubelet has it: somebody may follow a log in which nothing happens.
    private static final Duration SILENCE = Duration.ofHours(4);

    private static final Duration STOP_PATIENCE = Duration.ofSeconds(2);

    private final Server server;
    private final ServerConnector connector;
    private final ExecutorService threads;
    private final EndpointOptions settings;
    private final Fingerprint fingerprint;

    private NodeEndpoint(EndpointOptions settings, EndpointCertificate certificate) {
        this.settings = settings;
        this.fingerprint = certificate.fingerprint();
        this.threads =
                Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("door-", 0).factory());
        var pool = new QueuedThreadPool(PLATFORM_THREADS);
        pool.setName("door");
        this.server = new Server(pool);
        server.setStopTimeout(STOP_PATIENCE.toMillis());
        ServerWebSocketContainer.ensure(server);
        this.connector = connector(settings, certificate);
        server.addConnector(connector);
    }

    /// Opens the door.
    ///
    /// @param metrics what is answered at `/metrics`, in the form of Prometheus
    public static NodeEndpoint start(
            EndpointOptions settings,
            ContainerRuntime runtime,
            PodLookup pods,
            Supplier<String> metrics) {
        var certificate =
                EndpointCertificate.open(settings.directory(), settings.host(), settings.clock());
        var door = new NodeEndpoint(settings, certificate);
        door.server.setHandler(
                new EndpointHandler(
                        settings,
                        new EndpointHandler.Sources(runtime, pods, metrics),
                        door.threads));
        try {
            door.server.start();
        } catch (Exception e) {
            door.close();
            throw new IllegalStateException(
                    "the node cannot listen on %s port %d: %s; choose another address or port"
                            .formatted(settings.host(), settings.port(), problem(e)),
                    e);
        }
        return door;
    }

    /// The innermost message: the outer ones only repeat the address.
    private static String problem(Exception e) {
        Throwable cause = e;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        return FailureText.of(cause);
    }

    private ServerConnector connector(EndpointOptions settings, EndpointCertificate certificate) {
        var configuration = new HttpConfiguration();
        configuration.setSendServerVersion(false);
        configuration.setUriCompliance(UriCompliance.UNSAFE);
        var customizer = new SecureRequestCustomizer();
        // Clients know us by the certificate, not by a name in it.
        customizer.setSniHostCheck(false);
        configuration.addCustomizer(customizer);
        var factory = new SslContextFactory.Server();
        factory.setSslContext(
                ClientTls.context(
                        new ServerTrust.Authorities(settings.authorities()),
                        Optional.of(certificate.asCredential()),
                        ""));
        factory.setWantClientAuth(true);
        var http = new HttpConnectionFactory(configuration);
        var made =
                new ServerConnector(
                        server, 1, 1, new SslConnectionFactory(factory, http.getProtocol()), http);
        made.setHost(settings.host());
        made.setPort(settings.port());
        made.setIdleTimeout(SILENCE.toMillis());
        return made;
    }

    /// The address that it listens on.
    public String host() {
        return settings.host();
    }

    public int port() {
        return connector.getLocalPort();
    }

    /// By what clients know it.
    public Fingerprint fingerprint() {
        return fingerprint;
    }

    @Override
    public void close() {
        threads.shutdownNow();
        try {
            server.stop();
        } catch (TimeoutException _) {
            // Somebody was talking until the end, and was cut off: it has stopped all the same.
        } catch (Exception e) {
            throw new IllegalStateException("the node's endpoint did not stop", e);
        }
    }
}
