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

/// Requests to one server, with credentials.
///
/// HTTP/2 where the server offers it by ALPN, HTTP/1.1 otherwise and without TLS.
final class ApiConnection implements AutoCloseable {

    private static final Duration MAX_CONNECT_TIMEOUT = Duration.ofSeconds(10);
    private static final int UNAUTHORIZED = 401;
    private static final int PROXY_UNAUTHORIZED = 407;
    private static final int DEFAULT_PROXY_PORT = 80;

    /// How often a request is sent in all that failed for the sake of its connection, and how often
    /// one that found no free stream.
    private static final int MAX_SENT = 4;

    private static final int MAX_UNSENT = 32;

    /// Answered by every API server from memory, whatever its load; any status will do.
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

    ApiConnection(ClusterAccess access, ClientOptions settings) {
        this.access = access;
        this.userAgent = "berth/" + settings.version();
        this.timeout = settings.requestTimeout();
        this.connectTimeout = shorter(MAX_CONNECT_TIMEOUT, settings.liveness().probeTimeout());
        this.proxyLogin = ProxyLogin.of(access.proxy());
        var server = access.server().toString();
        this.base = server.endsWith("/") ? server.substring(0, server.length() - 1) : server;
        this.reports = new ProblemReports(settings.problems(), System::nanoTime);
        this.pool =
                new ConnectionPool(
                        this::build,
                        () -> request(PROBE, access.credentials().proof()),
                        settings.liveness());
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }

    /// Sends a request and reads the whole answer.
    ApiResponse<byte[]> ask(HttpCall call) throws IOException, InterruptedException {
        return send(call, proof -> asked(call, proof));
    }

    /// Sends a request; the answer is to be read and closed. The time limit is for its beginning.
    ApiResponse<InputStream> open(HttpCall call) throws IOException, InterruptedException {
        return send(call, proof -> opened(call, proof));
    }

    /// One attempt with certain credentials.
    @FunctionalInterface
    private interface Sending<T> {
        ApiResponse<T> with(ClientCredentials.Proof proof) throws IOException, InterruptedException;
    }

    private <T> ApiResponse<T> send(HttpCall call, Sending<T> sending)
            throws IOException, InterruptedException {
        var proof = proof();
        var answer = sendOver(call, sending, proof);
        if (answer.statusCode() == UNAUTHORIZED) {
            // A token may have been renewed in the meantime: look once.
            access.credentials().refused(proof);
            var newer = proof();
            if (!newer.equals(proof)) {
                if (answer.body() instanceof InputStream unread) {
                    unread.close();
                }
                answer = sendOver(call, sending, newer);
            }
        }
        if (answer.statusCode() == UNAUTHORIZED) {
            reports.failed(ConnectionProblem.unauthorized(access));
        } else {
            reports.answered(access.server());
        }
        return answer;
    }

    private ClientCredentials.Proof proof() {
        try {
            return access.credentials().proof();
        } catch (ConfigException e) {
            reports.failed(
                    new ConnectionProblem(
                            String.valueOf(e.getMessage()), "correct " + access.origin()));
            throw e;
        }
    }

    /// Sends anew what was not sent, and what only reads, when the connection was the problem.
    private static <T> ApiResponse<T> sendOver(
            HttpCall call, Sending<T> sending, ClientCredentials.Proof proof)
            throws IOException, InterruptedException {
        for (var attempt = 1; ; attempt++) {
            try {
                return sending.with(proof);
            } catch (LostConnection e) {
                if (!(e.isUnsent ? attempt < MAX_UNSENT : call.isRead() && attempt < MAX_SENT)) {
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

    private ApiResponse<byte[]> asked(HttpCall call, ClientCredentials.Proof proof)
            throws IOException, InterruptedException {
        var pooled = pool.take(proof.certificate());
        try {
            var answer = sent(call, proof, pooled, HttpResponse.BodyHandlers.ofByteArray());
            return new ApiResponse<>(answer.statusCode(), answer.headers(), answer.body());
        } finally {
            pool.release(pooled);
        }
    }

    private ApiResponse<InputStream> opened(HttpCall call, ClientCredentials.Proof proof)
            throws IOException, InterruptedException {
        var pooled = pool.take(proof.certificate());
        var isOpen = false;
        try {
            var answer = sent(call, proof, pooled, HttpResponse.BodyHandlers.ofInputStream());
            var body = new StreamingBody(answer, pooled, () -> pool.release(pooled));
            isOpen = true;
            return new ApiResponse<>(answer.statusCode(), answer.headers(), body);
        } finally {
            if (!isOpen) {
                pool.release(pooled);
            }
        }
    }

    private <T> HttpResponse<T> sent(
            HttpCall call,
            ClientCredentials.Proof proof,
            PooledConnection pooled,
            HttpResponse.BodyHandler<T> handler)
            throws IOException, InterruptedException {
        var sent = pooled.send(request(call, proof), handler);
        try {
            var answer = passed(sent.get(timeout.toMillis(), TimeUnit.MILLISECONDS));
            pooled.heard();
            return answer;
        } catch (TimeoutException e) {
            sent.cancel(true);
            pool.suspect(pooled);
            reports.failed(ConnectionProblem.silence(access, timeout));
            throw new IOException(
                    "%s %s: no answer within %d s"
                            .formatted(call.method(), base + call.path(), timeout.toSeconds()),
                    e);
        } catch (InterruptedException e) {
            sent.cancel(true);
            throw e;
        } catch (ExecutionException e) {
            throw failed(call, pooled, e);
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

    /// An answer of the server; that of a proxy has no body.
    private <T> HttpResponse<T> passed(HttpResponse<T> answer) throws IOException {
        if (answer.statusCode() == PROXY_UNAUTHORIZED && access.proxy().isPresent()) {
            throw new IOException(
                    "proxy %s answers 407: %s"
                            .formatted(
                                    address(access.proxy().get()),
                                    proxyLogin.isEmpty()
                                            ? "it wants http://user:password@host:port"
                                            : "it does not accept the user and password"));
        }
        return answer;
    }

    private HttpRequest request(HttpCall call, ClientCredentials.Proof proof) {
        var request = HttpRequest.newBuilder(URI.create(base + call.target()));
        request.header("Accept", call.accept());
        request.header("User-Agent", userAgent);
        proof.authorization().ifPresent(value -> request.header("Authorization", value));
        // Goes to the proxy alone: to a tunnel with CONNECT, and never through it.
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

    /// Without TLS there is no ALPN, and no API server speaks HTTP/2.
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
