package dev.berth.client.http;

import dev.berth.client.config.ClientCertificate;
import dev.berth.client.config.ClientCredentials;
import dev.berth.client.config.ClusterAccess;
import dev.berth.client.config.ConfigException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.ProxySelector;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// Sends requests to one API server, with client credentials.
///
/// HTTP/2 where the server offers it by ALPN, HTTP/1.1 otherwise and without TLS.
final class ApiConnection implements AutoCloseable {

    private static final Duration MAX_CONNECT_TIMEOUT = Duration.ofSeconds(10);
    private static final int UNAUTHORIZED = 401;
    private static final int PROXY_UNAUTHORIZED = 407;
    private static final int DEFAULT_PROXY_PORT = 80;

    /// Attempts for a request whose connection was lost, and for one that found no free stream.
    private static final int MAX_SENT = 4;

    private static final int MAX_UNSENT = 32;

    /// Every API server answers it from memory, whatever its load; any status will do.
    private static final HttpCall PROBE = HttpCall.get("/livez");

    static {
        Http2Windows.set();
    }

    private final ClusterAccess access;
    private final String userAgent;
    private final Duration timeout;
    private final Duration connectTimeout;
    private final String base;
    private final Optional<String> proxyLogin;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final ConnectionPool pool;
    private final ProblemReports reports;
    private final RestClientMetrics metrics;

    ApiConnection(ClusterAccess access, ClientOptions options) {
        this.access = access;
        this.userAgent = "berth/" + options.version();
        this.timeout = options.requestTimeout();
        this.connectTimeout = shorter(MAX_CONNECT_TIMEOUT, options.liveness().probeTimeout());
        this.proxyLogin = ProxyLogin.of(access.proxy());
        var server = access.server().toString();
        this.base = server.endsWith("/") ? server.substring(0, server.length() - 1) : server;
        this.metrics = new RestClientMetrics(options.metrics(), access.server());
        this.reports = new ProblemReports(options.problems(), System::nanoTime);
        this.pool =
                new ConnectionPool(
                        this::build,
                        () -> request(PROBE, access.credentials().current()),
                        options.liveness());
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }

    /// Sends a request and reads the complete response.
    ApiResponse<byte[]> exchange(HttpCall call) throws IOException, InterruptedException {
        return send(call, credential -> exchangeOnce(call, credential));
    }

    /// Sends a request; the caller reads and closes the body. The time limit covers the response
    /// headers.
    ApiResponse<InputStream> open(HttpCall call) throws IOException, InterruptedException {
        return send(call, credential -> openOnce(call, credential));
    }

    /// One attempt with a given credential.
    @FunctionalInterface
    private interface Attempt<T> {
        ApiResponse<T> with(ClientCredentials.Credential credential)
                throws IOException, InterruptedException;
    }

    private <T> ApiResponse<T> send(HttpCall call, Attempt<T> attempt)
            throws IOException, InterruptedException {
        var credential = credential();
        var response = sendWithRetry(call, attempt, credential);
        if (response.statusCode() == UNAUTHORIZED) {
            // The token may have been renewed in the meantime: try once with a newer one.
            access.credentials().rejected(credential);
            var newer = credential();
            if (!newer.equals(credential)) {
                if (response.body() instanceof InputStream unread) {
                    unread.close();
                }
                response = sendWithRetry(call, attempt, newer);
            }
        }
        if (response.statusCode() == UNAUTHORIZED) {
            reports.failed(ConnectionProblem.unauthorized(access));
        } else {
            reports.succeeded(access.server());
        }
        return response;
    }

    private ClientCredentials.Credential credential() {
        try {
            return access.credentials().current();
        } catch (ConfigException e) {
            reports.failed(
                    new ConnectionProblem(
                            String.valueOf(e.getMessage()), "correct " + access.origin()));
            throw e;
        }
    }

    /// Retries when the connection was lost: requests that were not sent, and requests that only
    /// read.
    private static <T> ApiResponse<T> sendWithRetry(
            HttpCall call, Attempt<T> attempt, ClientCredentials.Credential credential)
            throws IOException, InterruptedException {
        for (var number = 1; ; number++) {
            try {
                return attempt.with(credential);
            } catch (LostConnection e) {
                if (!(e.isUnsent ? number < MAX_UNSENT : call.isRead() && number < MAX_SENT)) {
                    throw e;
                }
            }
        }
    }

    /// A failure of the connection, not of the request.
    private static final class LostConnection extends IOException {
        private static final long serialVersionUID = 1;
        private final boolean isUnsent;

        LostConnection(String message, Throwable cause, boolean isUnsent) {
            super(message, cause);
            this.isUnsent = isUnsent;
        }
    }

    private ApiResponse<byte[]> exchangeOnce(HttpCall call, ClientCredentials.Credential credential)
            throws IOException, InterruptedException {
        var pooled = pool.take(credential.certificate());
        try {
            var response = sent(call, credential, pooled, HttpResponse.BodyHandlers.ofByteArray());
            return new ApiResponse<>(response.statusCode(), response.headers(), response.body());
        } finally {
            pool.release(pooled);
        }
    }

    private ApiResponse<InputStream> openOnce(
            HttpCall call, ClientCredentials.Credential credential)
            throws IOException, InterruptedException {
        var pooled = pool.take(credential.certificate());
        var isOpen = false;
        try {
            var response =
                    sent(call, credential, pooled, HttpResponse.BodyHandlers.ofInputStream());
            var body = new StreamingBody(response, pooled, () -> pool.release(pooled));
            isOpen = true;
            return new ApiResponse<>(response.statusCode(), response.headers(), body);
        } finally {
            if (!isOpen) {
                pool.release(pooled);
            }
        }
    }

    private <T> HttpResponse<T> sent(
            HttpCall call,
            ClientCredentials.Credential credential,
            PooledConnection pooled,
            HttpResponse.BodyHandler<T> handler)
            throws IOException, InterruptedException {
        var startNanos = System.nanoTime();
        var sent = pooled.send(request(call, credential), handler);
        var hasResponse = false;
        try {
            var response = checked(sent.get(timeout.toMillis(), TimeUnit.MILLISECONDS));
            hasResponse = true;
            pooled.touch();
            metrics.responded(call.method(), response.statusCode(), startNanos);
            return response;
        } catch (TimeoutException e) {
            sent.cancel(true);
            pool.probeNow(pooled);
            reports.failed(ConnectionProblem.noResponse(access, timeout));
            throw new IOException(
                    "%s %s: no response within %d s"
                            .formatted(call.method(), base + call.path(), timeout.toSeconds()),
                    e);
        } catch (InterruptedException e) {
            sent.cancel(true);
            throw e;
        } catch (ExecutionException e) {
            throw failed(call, pooled, e);
        } finally {
            if (!hasResponse) {
                metrics.failed(call.method(), startNanos);
            }
        }
    }

    private IOException failed(HttpCall call, PooledConnection pooled, ExecutionException e) {
        var request = call.method() + " " + base + call.path();
        if (PooledConnection.isLimit(e)) {
            pool.lowerLimit(pooled);
            return new LostConnection(request + ": too many concurrent requests", e, true);
        }
        if (pooled.isLost()) {
            return new LostConnection(request + ": the connection was lost", e, false);
        }
        var problem = ConnectionProblem.of(e, request, access);
        reports.failed(problem);
        return new IOException(problem.text(), e);
    }

    /// A response of the server; a 407 of the proxy is an error and has no body.
    private <T> HttpResponse<T> checked(HttpResponse<T> response) throws IOException {
        if (response.statusCode() == PROXY_UNAUTHORIZED && access.proxy().isPresent()) {
            throw new IOException(
                    "proxy %s responded 407: %s"
                            .formatted(
                                    address(access.proxy().get()),
                                    proxyLogin.isEmpty()
                                            ? "it requires http://user:password@host:port"
                                            : "it rejected the user and password"));
        }
        return response;
    }

    private HttpRequest request(HttpCall call, ClientCredentials.Credential credential) {
        var request = HttpRequest.newBuilder(URI.create(base + call.target()));
        request.header("Accept", call.accept());
        request.header("User-Agent", userAgent);
        credential.authorization().ifPresent(value -> request.header("Authorization", value));
        // Sent to the proxy only: with CONNECT for a tunnel, and never through it.
        proxyLogin.ifPresent(value -> request.header("Proxy-Authorization", value));
        for (var header : access.headers()) {
            request.header(header.name(), header.value());
        }
        if (call.body().isEmpty()) {
            request.method(call.method(), HttpRequest.BodyPublishers.noBody());
        } else {
            var body = call.body().get();
            request.header("Content-Type", body.type());
            request.method(call.method(), body.bytes());
        }
        return request.build();
    }

    private HttpClient build(Optional<ClientCertificate> certificate) {
        var builder =
                HttpClient.newBuilder()
                        .version(version())
                        .connectTimeout(connectTimeout)
                        .followRedirects(HttpClient.Redirect.NEVER)
                        .executor(threads)
                        .sslContext(
                                ClientTls.context(
                                        access.trust(), certificate, access.serverName()));
        builder.proxy(
                access.proxy()
                        .map(proxy -> ProxySelector.of(address(proxy)))
                        .orElse(HttpClient.Builder.NO_PROXY));
        return builder.build();
    }

    /// Without TLS there is no ALPN, and API servers have no cleartext HTTP/2.
    private HttpClient.Version version() {
        return "https".equals(access.server().getScheme())
                ? HttpClient.Version.HTTP_2
                : HttpClient.Version.HTTP_1_1;
    }

    private static InetSocketAddress address(URI proxy) {
        return new InetSocketAddress(
                proxy.getHost(), proxy.getPort() < 0 ? DEFAULT_PROXY_PORT : proxy.getPort());
    }

    @Override
    public void close() {
        pool.close();
        threads.shutdownNow();
    }
}
