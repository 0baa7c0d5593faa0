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

/// The HTTPS listener: TLS, HTTP/1.1 and HTTP/2.
public final class HttpListener implements AutoCloseable {

    /// Selectors and acceptors; requests run on virtual threads.
    private static final int PLATFORM_THREADS = 12;

    /// Idle timeout of a watch over WebSocket; longer than any watch lasts.
    private static final Duration WEB_SOCKET_IDLE_TIMEOUT = Duration.ofMinutes(90);

    /// Idle time before the kernel sends TCP keep-alive probes, and the interval between probes.
    private static final int KEEP_ALIVE_SECONDS = 30;

    static final int STREAMS_PER_CONNECTION = 1000;

    private static final Duration STOP_TIMEOUT = Duration.ofSeconds(2);

    private final Server server;
    private final ServerConnector connector;
    private final ConnectionTimeouts timeouts;
    private final ExecutorService threads;
    private final String host;

    /// The address to listen on.
    ///
    /// @param port 0 for any free port
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
        server.setStopTimeout(STOP_TIMEOUT.toMillis());
        server.setErrorHandler(new HttpErrorResponses(metrics));
        ServerWebSocketContainer.ensure(server).setIdleTimeout(WEB_SOCKET_IDLE_TIMEOUT);
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
        // Line ends must be CR LF: otherwise other parsers of the same bytes may see other requests
        // (request smuggling).
        configuration.setHttpCompliance(HttpCompliance.STRICT);
        var customizer = new SecureRequestCustomizer();
        // Clients connect by IP address, too. They verify the certificate themselves.
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

    /// Enables TCP keep-alive, to detect clients whose machine is unreachable.
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
                // The client disconnected before it was accepted.
                LOG.debug("no keep-alive for {}", socket, e);
            }
        }
    }

    /// The library still runs tasks while it stops, when requests have already been interrupted,
    /// for example timeouts of idle connections.
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
            var message = String.valueOf(cause.getMessage());
            if (cause instanceof BindException && message.contains("in use")) {
                return ("port %d on %s is in use; choose another with --port, or --port 0 for a"
                                + " free one")
                        .formatted(port, host);
            }
            if (cause instanceof BindException) {
                return "cannot listen on %s port %d: %s; choose another address with --bind"
                        .formatted(host, port, message);
            }
        }
        return "cannot listen on %s port %d: %s".formatted(host, port, FailureText.of(e));
    }

    /// The URL for clients.
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
            // A client kept sending requests until the end and was disconnected; the server has
            // stopped nevertheless.
        } catch (Exception e) {
            throw new IllegalStateException("the listener did not stop", e);
        }
    }
}
