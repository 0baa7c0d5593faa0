package dev.berth.server.http;

import java.net.URI;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLContext;
import org.eclipse.jetty.alpn.server.ALPNServerConnectionFactory;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.http2.server.HTTP2ServerConnectionFactory;
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

    /// Longer than any watch lasts.
    private static final Duration SILENCE = Duration.ofMinutes(90);

    private static final Duration STOP_PATIENCE = Duration.ofSeconds(2);

    private final Server server;
    private final ServerConnector connector;
    private final ExecutorService threads;
    private final String host;

    /// Where to listen.
    ///
    /// @param port 0 for any that is free
    public record Address(String host, int port) {}

    HttpListener(Address address, SSLContext tls, Limits limits) {
        this.host = address.host;
        this.threads =
                Executors.newThreadPerTaskExecutor(
                        Thread.ofVirtual().name("request-", 0).factory());
        var pool = new QueuedThreadPool(PLATFORM_THREADS);
        pool.setName("http");
        pool.setVirtualThreadsExecutor(threads);
        this.server = new Server(pool);
        server.setStopTimeout(STOP_PATIENCE.toMillis());
        server.setErrorHandler(new PlainErrors());
        ServerWebSocketContainer.ensure(server).setIdleTimeout(SILENCE);
        this.connector = connector(tls, limits);
        connector.setHost(address.host);
        connector.setPort(address.port);
        connector.setIdleTimeout(SILENCE.toMillis());
        connector.setAcceptQueueSize(4096);
        server.addConnector(connector);
    }

    private ServerConnector connector(SSLContext tls, Limits limits) {
        var configuration = new HttpConfiguration();
        configuration.setSendServerVersion(false);
        configuration.setSendDateHeader(true);
        configuration.setRequestHeaderSize(limits.headerBytes());
        configuration.setResponseHeaderSize(limits.headerBytes());
        configuration.setUriCompliance(UriCompliance.UNSAFE);
        var customizer = new SecureRequestCustomizer();
        // Clients reach us by address, too; certificates are checked on their side.
        customizer.setSniHostCheck(false);
        configuration.addCustomizer(customizer);
        var http1 = new OrderlyHttp1(configuration);
        var http2 = new HTTP2ServerConnectionFactory(configuration);
        http2.setMaxConcurrentStreams(1000);
        var alpn = new ALPNServerConnectionFactory();
        alpn.setDefaultProtocol(http1.getProtocol());
        var factory = new SslContextFactory.Server();
        factory.setSslContext(tls);
        factory.setWantClientAuth(true);
        var secure = new SslConnectionFactory(factory, alpn.getProtocol());
        return new ServerConnector(server, 1, 2, secure, alpn, http2, http1);
    }

    ExecutorService threads() {
        return threads;
    }

    void start(ApiHandler handler) {
        server.setHandler(handler);
        try {
            server.start();
        } catch (Exception e) {
            throw new IllegalStateException(
                    "cannot listen on %s port %d: %s"
                            .formatted(host, connector.getPort(), e.getMessage()),
                    e);
        }
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
