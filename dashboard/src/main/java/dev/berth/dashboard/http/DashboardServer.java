package dev.berth.dashboard.http;

import dev.berth.model.text.FailureText;
import java.net.InetAddress;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeoutException;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/// The HTTP server of the dashboard. It listens on loopback without TLS.
public final class DashboardServer implements AutoCloseable {

    /// The files of the page in the class path.
    public static final String PAGE = "dev/berth/dashboard/page/";

    /// Selectors and acceptors; requests run on virtual threads.
    private static final int PLATFORM_THREADS = 6;

    private static final Duration IDLE_TIMEOUT = Duration.ofMinutes(2);
    private static final Duration STOP_TIMEOUT = Duration.ofSeconds(2);

    private final Server server;
    private final ServerConnector connector;
    private final ExecutorService threads;
    private final DataApi api;
    private final LoginTokens tokens;
    private final String secret = new SecretText().next();

    private DashboardServer(DataApi api, int port, Clock clock) {
        this.api = api;
        this.tokens = new LoginTokens(clock);
        this.threads =
                Executors.newThreadPerTaskExecutor(
                        Thread.ofVirtual().name("dashboard-", 0).factory());
        var pool = new QueuedThreadPool(PLATFORM_THREADS, 1);
        pool.setName("dashboard");
        this.server = new Server(pool);
        server.setStopTimeout(STOP_TIMEOUT.toMillis());
        var configuration = new HttpConfiguration();
        configuration.setSendServerVersion(false);
        configuration.setSendDateHeader(false);
        // Names of pools contain slashes, which are encoded in paths.
        configuration.setUriCompliance(UriCompliance.UNSAFE);
        this.connector =
                new ServerConnector(server, 1, 1, new HttpConnectionFactory(configuration));
        connector.setHost(InetAddress.getLoopbackAddress().getHostAddress());
        connector.setPort(port);
        connector.setIdleTimeout(IDLE_TIMEOUT.toMillis());
        server.addConnector(connector);
    }

    /// Starts to listen.
    ///
    /// @param port 0 chooses a free port
    /// @param page path of the files of the page in the class path
    public static DashboardServer start(DataApi api, int port, String page, Clock clock) {
        var started = new DashboardServer(api, port, clock);
        var handler =
                new DashboardHandler(
                        api, new PageAssets(page), started.tokens, started.secret, started.threads);
        started.server.setHandler(handler);
        try {
            // Opened before the server starts, so that the handler knows the port.
            started.connector.open();
            handler.listens(started.port());
            started.server.start();
        } catch (Exception e) {
            started.close();
            throw new IllegalStateException(
                    "the dashboard cannot listen on 127.0.0.1 port %d: %s; choose another port"
                            .formatted(port, problem(e)),
                    e);
        }
        return started;
    }

    private static String problem(Exception e) {
        Throwable cause = e;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        return FailureText.of(cause);
    }

    public int port() {
        return connector.getLocalPort();
    }

    /// The secret with which a command of the same user asks for a login token.
    public String issuerSecret() {
        return secret;
    }

    /// A URL with a new one-time token.
    public URI loginUri() {
        return loginUri(port(), tokens.issue());
    }

    /// The URL of a dashboard with a one-time token.
    public static URI loginUri(int port, String token) {
        return URI.create("http://127.0.0.1:%d/ui/#token=%s".formatted(port, token));
    }

    @Override
    public void close() {
        api.events().end();
        threads.shutdownNow();
        try {
            server.stop();
        } catch (TimeoutException _) {
            // A request in progress was aborted; the server has stopped.
        } catch (Exception e) {
            throw new IllegalStateException("the dashboard did not stop", e);
        }
    }
}
