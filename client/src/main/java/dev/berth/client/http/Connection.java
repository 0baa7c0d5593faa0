package dev.berth.client.http;

import dev.berth.client.config.Access;
import dev.berth.client.config.ClientCertificate;
import dev.berth.client.config.Credentials;
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

/// Requests to one server, with what proves who we are.
///
/// HTTP 1.1 on purpose: Java's client has one connection of HTTP 2 for everything, fails requests
/// beyond the streams that the server allows on it, and loses all at once when it hangs.
final class Connection implements AutoCloseable {

    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);
    private static final int UNAUTHORIZED = 401;
    private static final int PROXY_UNAUTHORIZED = 407;
    private static final int DEFAULT_PROXY_PORT = 80;

    private final Access access;
    private final String userAgent;
    private final Duration timeout;
    private final String base;
    private final Optional<String> proxyLogin;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    // Guarded by this: certificates change seldom, and with them the client.
    private Optional<Client> client = Optional.empty();
    private boolean closed;

    private record Client(HttpClient http, Optional<ClientCertificate> certificate) {}

    Connection(Access access, Settings settings) {
        this.access = access;
        this.userAgent = "berth/" + settings.version();
        this.timeout = settings.requestTimeout();
        this.proxyLogin = ProxyLogin.of(access.proxy());
        var server = access.server().toString();
        this.base = server.endsWith("/") ? server.substring(0, server.length() - 1) : server;
    }

    /// Asks, and reads the whole answer.
    HttpResponse<byte[]> ask(Call call) throws IOException, InterruptedException {
        return send(call, HttpResponse.BodyHandlers.ofByteArray());
    }

    /// Asks, and leaves the answer to be read and closed. The time limit is for its beginning.
    HttpResponse<InputStream> open(Call call) throws IOException, InterruptedException {
        return send(call, HttpResponse.BodyHandlers.ofInputStream());
    }

    private <T> HttpResponse<T> send(Call call, HttpResponse.BodyHandler<T> handler)
            throws IOException, InterruptedException {
        var proof = access.credentials().proof();
        var answer = send(call, proof, handler);
        if (answer.statusCode() != UNAUTHORIZED) {
            return answer;
        }
        // A token may have been renewed in the meantime: look once.
        access.credentials().refused(proof);
        var newer = access.credentials().proof();
        if (newer.equals(proof)) {
            return answer;
        }
        if (answer.body() instanceof InputStream unread) {
            unread.close();
        }
        return send(call, newer, handler);
    }

    private <T> HttpResponse<T> send(
            Call call, Credentials.Proof proof, HttpResponse.BodyHandler<T> handler)
            throws IOException, InterruptedException {
        var sent = client(proof.certificate()).sendAsync(request(call, proof), handler);
        try {
            return passed(sent.get(timeout.toMillis(), TimeUnit.MILLISECONDS));
        } catch (TimeoutException e) {
            sent.cancel(true);
            throw new IOException(
                    "%s %s: no answer within %d s"
                            .formatted(call.method(), base + call.path(), timeout.toSeconds()),
                    e);
        } catch (InterruptedException e) {
            sent.cancel(true);
            throw e;
        } catch (ExecutionException e) {
            throw new IOException(
                    ConnectionProblem.text(e, call.method() + " " + base + call.path(), access), e);
        }
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

    private HttpRequest request(Call call, Credentials.Proof proof) {
        var request = HttpRequest.newBuilder(URI.create(base + call.target()));
        request.header("Accept", "application/json");
        request.header("User-Agent", userAgent);
        proof.authorization().ifPresent(value -> request.header("Authorization", value));
        // Goes to the proxy alone: to a tunnel with CONNECT, and never through it.
        proxyLogin.ifPresent(value -> request.header("Proxy-Authorization", value));
        for (var header : access.headers()) {
            request.header(header.name(), header.value());
        }
        if (call.type().isEmpty()) {
            request.method(call.method(), HttpRequest.BodyPublishers.noBody());
        } else {
            request.header("Content-Type", call.type());
            request.method(call.method(), HttpRequest.BodyPublishers.ofString(call.body()));
        }
        return request.build();
    }

    private synchronized HttpClient client(Optional<ClientCertificate> certificate)
            throws IOException {
        if (closed) {
            throw new IOException("the connection to " + access + " has been closed");
        }
        if (client.isPresent() && client.get().certificate.equals(certificate)) {
            return client.get().http;
        }
        // Requests under way on the old one come to their end.
        client.ifPresent(old -> old.http.shutdown());
        var http = build(certificate);
        client = Optional.of(new Client(http, certificate));
        return http;
    }

    private HttpClient build(Optional<ClientCertificate> certificate) {
        var builder =
                HttpClient.newBuilder()
                        .version(HttpClient.Version.HTTP_1_1)
                        .connectTimeout(CONNECT_TIMEOUT)
                        .followRedirects(HttpClient.Redirect.NEVER)
                        .executor(threads)
                        .sslContext(Tls.context(access.trust(), certificate, access.serverName()));
        builder.proxy(
                access.proxy()
                        .map(proxy -> ProxySelector.of(address(proxy)))
                        .orElse(HttpClient.Builder.NO_PROXY));
        return builder.build();
    }

    private static InetSocketAddress address(URI proxy) {
        return new InetSocketAddress(
                proxy.getHost(), proxy.getPort() < 0 ? DEFAULT_PROXY_PORT : proxy.getPort());
    }

    @Override
    public synchronized void close() {
        closed = true;
        client.ifPresent(one -> one.http.shutdownNow());
        client = Optional.empty();
        threads.shutdownNow();
    }
}
