package dev.berth.node.door;

import dev.berth.client.config.Trust;
import dev.berth.client.http.Tls;
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
/// [dev.berth.model.certificate.NodeTrust#SERVING_CERTIFICATE].
public final class NodeDoor implements AutoCloseable {

    /// Selectors and acceptors; requests run on virtual threads.
    private static final int PLATFORM_THREADS = 8;

    /// As a kubelet has it: somebody may follow a log in which nothing happens.
    private static final Duration SILENCE = Duration.ofHours(4);

    private static final Duration STOP_PATIENCE = Duration.ofSeconds(2);

    private final Server server;
    private final ServerConnector connector;
    private final ExecutorService threads;
    private final DoorSettings settings;
    private final Fingerprint fingerprint;

    private NodeDoor(DoorSettings settings, DoorCertificate certificate) {
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
    public static NodeDoor start(
            DoorSettings settings,
            ContainerRuntime runtime,
            PodLookup pods,
            Supplier<String> metrics) {
        var certificate =
                DoorCertificate.open(settings.directory(), settings.host(), settings.clock());
        var door = new NodeDoor(settings, certificate);
        door.server.setHandler(
                new DoorHandler(
                        settings, new DoorHandler.Sources(runtime, pods, metrics), door.threads));
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

    private ServerConnector connector(DoorSettings settings, DoorCertificate certificate) {
        var configuration = new HttpConfiguration();
        configuration.setSendServerVersion(false);
        configuration.setUriCompliance(UriCompliance.UNSAFE);
        var customizer = new SecureRequestCustomizer();
        // Clients know us by the certificate, not by a name in it.
        customizer.setSniHostCheck(false);
        configuration.addCustomizer(customizer);
        var factory = new SslContextFactory.Server();
        factory.setSslContext(
                Tls.context(
                        new Trust.Authorities(settings.authorities()),
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
