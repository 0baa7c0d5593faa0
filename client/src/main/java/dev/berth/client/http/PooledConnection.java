package dev.berth.client.http;

import dev.berth.client.config.ClientCertificate;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;

/// An HTTP client of the JDK: with HTTP/2 one connection for all requests, with HTTP/1.1 one for
/// each concurrent request.
final class PooledConnection {

    /// Streams used of one HTTP/2 connection. Servers allow 100 and more, as RFC 9113 recommends;
    /// the probe needs one.
    static final int MAX_STREAMS = 96;

    /// How long requests wait for the first one, which opens the connection.
    private static final Duration OPENING = Duration.ofSeconds(2);

    /// The message with which Java fails a request beyond the streams that the server allows.
    private static final String LIMIT_REACHED = "too many concurrent streams";

    private final HttpClient http;
    private final Optional<ClientCertificate> certificate;
    private final Set<StreamingBody> bodies = ConcurrentHashMap.newKeySet();
    private final ReentrantLock opening = new ReentrantLock();
    private final ReentrantLock probing = new ReentrantLock();
    private volatile boolean opened;
    private volatile boolean lost;
    private volatile long receivedNanos = System.nanoTime();

    // Guarded by the pool.
    private int streams;
    private int limit;
    private boolean retired;

    /// @param limit number of streams to use
    PooledConnection(HttpClient http, Optional<ClientCertificate> certificate, int limit) {
        this.http = http;
        this.certificate = certificate;
        this.limit = limit;
        this.opened = http.version() == HttpClient.Version.HTTP_1_1;
    }

    /// Sends a request for which a stream has been reserved.
    ///
    /// Java's client opens a connection for each request that finds none. So one request goes
    /// first, and the others reuse its connection.
    <T> CompletableFuture<HttpResponse<T>> send(
            HttpRequest request, HttpResponse.BodyHandler<T> handler) throws InterruptedException {
        if (opened || !opening.tryLock(OPENING.toMillis(), TimeUnit.MILLISECONDS)) {
            return http.sendAsync(request, handler);
        }
        try {
            var response = http.sendAsync(request, handler);
            opened |= isAnswered(response);
            return response;
        } finally {
            opening.unlock();
        }
    }

    private boolean isAnswered(CompletableFuture<?> response) throws InterruptedException {
        if (opened) {
            return true;
        }
        try {
            response.get(OPENING.toMillis(), TimeUnit.MILLISECONDS);
            return true;
        } catch (ExecutionException | TimeoutException _) {
            // The sender gets the failure from the same future.
            return false;
        } catch (InterruptedException e) {
            response.cancel(true);
            throw e;
        }
    }

    /// Whether a request failed because the server allows no more streams; it was not sent.
    static boolean isLimit(Throwable failure) {
        for (var at = failure; at != null; at = at.getCause()) {
            if (LIMIT_REACHED.equals(at.getMessage())) {
                return true;
            }
        }
        return false;
    }

    boolean reserve(Optional<ClientCertificate> wanted) {
        if (retired || lost || streams >= limit || !certificate.equals(wanted)) {
            return false;
        }
        streams++;
        return true;
    }

    void release() {
        streams--;
    }

    /// Lowers the limit below the number of reserved streams, and leaves one for the probe.
    int lowerLimit() {
        limit = Math.clamp(streams - 2L, 1, limit);
        return limit;
    }

    boolean isInUse() {
        return streams > 0;
    }

    boolean has(Optional<ClientCertificate> wanted) {
        return certificate.equals(wanted);
    }

    /// Accepts no more requests; running ones finish.
    void retire() {
        retired = true;
        http.shutdown();
    }

    /// Fails all running requests.
    void abort() {
        lost = true;
        http.shutdownNow();
    }

    /// True when requests failed because the connection was closed, not because of their own
    /// content.
    boolean isLost() {
        return lost;
    }

    /// Records that bytes were received from the server.
    void touch() {
        receivedNanos = System.nanoTime();
    }

    /// Time since bytes were last received from the server.
    Duration idleTime() {
        return Duration.ofNanos(System.nanoTime() - receivedNanos);
    }

    /// Registers the body of a response that is being read.
    void opened(StreamingBody body) {
        bodies.add(body);
    }

    void closed(StreamingBody body) {
        bodies.remove(body);
    }

    /// Sends a probe over the connection that new requests use. True when anything was received
    /// from the server before the timeout, and while another probe is running.
    boolean responds(HttpRequest probe, Duration timeout) throws InterruptedException {
        if (!probing.tryLock()) {
            return true;
        }
        try {
            var before = receivedNanos;
            return isAnswered(probe, timeout) || receivedNanos != before;
        } finally {
            probing.unlock();
        }
    }

    private boolean isAnswered(HttpRequest probe, Duration timeout) throws InterruptedException {
        var response = http.sendAsync(probe, HttpResponse.BodyHandlers.discarding());
        try {
            var came = response.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
            touch();
            came.connectionLabel().ifPresent(this::endOthers);
            return true;
        } catch (TimeoutException _) {
            response.cancel(true);
            return false;
        } catch (ExecutionException e) {
            if (isLimit(e)) {
                // No free stream for a probe: the next one may succeed.
                touch();
            }
            return false;
        }
    }

    /// After a GOAWAY new requests, and the probe, use another connection than older watches. Those
    /// are ended, and resume over the connection that is known to work.
    private void endOthers(String label) {
        bodies.forEach(body -> body.closeUnless(label));
    }
}
