package dev.berth.server.http;

import dev.berth.model.text.FailureText;
import java.io.IOException;
import java.net.BindException;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLContext;
import jdk.net.ExtendedSocketOptions;
import org.eclipse.jetty.alpn.server.ALPNServerConnectionFactory;
import org.eclipse.jetty.http.HttpCompliance;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.SecureRequestCustomizer;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.eclipse.jetty.websocket.server.ServerWebSocketContainer;

/// Listens, always with TLS.
public final class HttpListener implements AutoCloseable {

    /// Selectors and acceptors; requests run on virtual threads.
    private static final int PLATFORM_THREADS = 12;

    /// Of a watch over a WebSocket without events; longer than any watch lasts.
    private static final Duration WEB_SOCKET_SILENCE = Duration.ofMinutes(90);

    /// Silence after which the kernel asks whether the client is still there, and how often.
    private static final int KEEP_ALIVE_SECONDS = 30;

    static final int STREAMS_PER_CONNECTION = 1000;

    private static final Duration STOP_PATIENCE = Duration.ofSeconds(2);

    private final Server server;
    private final ServerConnector connector;
    private final ConnectionTimeouts timeouts;
    private final ExecutorService threads;
    private final String host;

    /// Where to listen.
    ///
    /// @param port 0 for any that is free
    public record Address(String host, int port) {}

    HttpListener(Address address, SSLContext tls, ServerLimits limits, ApiServerMetrics metrics) {
        this.host = address.host;
        this.threads =
                Executors.newThreadPerTaskExecutor(
                        Thread.ofVirtual().name("request-", 0).factory());
        var pool = new QueuedThreadPool(PLATFORM_THREADS);
        pool.setName("http");
        pool.setVirtualThreadsExecutor(this::execute);
        this.server = new Server(pool);
        server.setStopTimeout(STOP_PATIENCE.toMillis());
        server.setErrorHandler(new HttpErrorResponses(metrics));
        ServerWebSocketContainer.ensure(server).setIdleTimeout(WEB_SOCKET_SILENCE);
        this.connector = connector(tls, limits, metrics);
        this.timeouts = new ConnectionTimeouts(limits.timeouts(), metrics);
        connector.addBean(timeouts);
        connector.setHost(address.host);
        connector.setPort(address.port);
        connector.setIdleTimeout(limits.timeouts().idle().toMillis());
        connector.setAcceptQueueSize(4096);
        server.addConnector(connector);
    }

    private ServerConnector connector(
            SSLContext tls, ServerLimits limits, ApiServerMetrics metrics) {
        var configuration = new HttpConfiguration();
        configuration.setSendServerVersion(false);
        configuration.setSendDateHeader(true);
        configuration.setRequestHeaderSize(limits.headerBytes());
        configuration.setResponseHeaderSize(limits.headerBytes());
        configuration.setUriCompliance(UriCompliance.UNSAFE);
        // Line ends are CR LF: other readers of the same bytes may see other requests otherwise.
        configuration.setHttpCompliance(HttpCompliance.STRICT);
        var customizer = new SecureRequestCustomizer();
        // Clients reach us by address, too; certificates are checked on their side.
        customizer.setSniHostCheck(false);
        configuration.addCustomizer(customizer);
        var progress = limits.timeouts().progress();
        var http1 = new SerializedHttp1(configuration, progress);
        var http2 = new ControlFrameLimits(configuration, metrics);
        http2.setMaxConcurrentStreams(STREAMS_PER_CONNECTION);
        http2.setStreamIdleTimeout(progress.toMillis());
        var alpn = new ALPNServerConnectionFactory();
        alpn.setDefaultProtocol(http1.getProtocol());
        var factory = new SslContextFactory.Server();
        factory.setSslContext(tls);
        factory.setWantClientAuth(true);
        var secure = new SslConnectionFactory(factory, alpn.getProtocol());
        return new KeepAliveConnector(server, secure, alpn, http2, http1);
    }

    /// Notices clients whose machine has gone.
    private static final class KeepAliveConnector extends ServerConnector {

        private KeepAliveConnector(Server server, ConnectionFactory... factories) {
            super(server, 1, 2, factories);
        }

        @Override
        protected void configure(Socket socket) {
            super.configure(socket);
            try {
                socket.setKeepAlive(true);
                socket.setOption(ExtendedSocketOptions.TCP_KEEPIDLE, KEEP_ALIVE_SECONDS);
                socket.setOption(ExtendedSocketOptions.TCP_KEEPINTERVAL, KEEP_ALIVE_SECONDS);
            } catch (IOException e) {
                // The client has gone before it was accepted.
                LOG.debug("no keep-alive for {}", socket, e);
            }
        }
    }

    /// The library still has tasks while it stops, when requests have been interrupted already:
    /// timeouts of idle connections, for one.
    private void execute(Runnable task) {
        try {
            threads.execute(task);
        } catch (RejectedExecutionException _) {
            Thread.startVirtualThread(task);
        }
    }

    ExecutorService threads() {
        return threads;
    }

    void start(ApiHandler handler) {
        server.setHandler(handler);
        try {
            server.start();
            threads.execute(timeouts::run);
        } catch (Exception e) {
            throw new IllegalStateException(problem(e), e);
        }
    }

    private String problem(Exception e) {
        var port = connector.getPort();
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            var said = String.valueOf(cause.getMessage());
            if (cause instanceof BindException && said.contains("in use")) {
                return ("port %d on %s is in use; choose another with --port, or --port 0 for a"
                                + " free one")
                        .formatted(port, host);
            }
            if (cause instanceof BindException) {
                return "cannot listen on %s port %d: %s; choose another address with --bind"
                        .formatted(host, port, said);
            }
        }
        return "cannot listen on %s port %d: %s".formatted(host, port, FailureText.of(e));
    }

    /// Where clients reach us.
    public URI uri() {
        var name = host.contains(":") ? "[" + host + "]" : host;
        return URI.create("https://%s:%d".formatted(name, connector.getLocalPort()));
    }

    @Override
    public void close() {
        threads.shutdownNow();
        try {
            server.stop();
        } catch (TimeoutException _) {
            // Somebody kept asking until the end, and was cut off: it has stopped all the same.
        } catch (Exception e) {
            throw new IllegalStateException("the listener did not stop", e);
        }
    }
}
