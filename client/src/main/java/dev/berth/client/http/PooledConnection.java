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

/// An HTTP client of the JDK: one connection for all requests with HTTP/2, one for each concurrent
/// request with HTTP/1.1.
final class PooledConnection {

    /// Streams that are used of one HTTP/2 connection. Servers allow 100 and more, as RFC 9113
    /// recommends; the probe needs one.
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
    private volatile long heardNanos = System.nanoTime();

    // Guarded by the pool.
    private int streams;
    private int limit;
    private boolean retired;

    /// @param limit how many streams are used
    PooledConnection(HttpClient http, Optional<ClientCertificate> certificate, int limit) {
        this.http = http;
        this.certificate = certificate;
        this.limit = limit;
        this.opened = http.version() == HttpClient.Version.HTTP_1_1;
    }

    /// Sends a request, for which a stream has been reserved.
    ///
    /// Java's client opens a connection for each request that finds none. So one request goes
    /// first, and the others find its connection.
    <T> CompletableFuture<HttpResponse<T>> send(
            HttpRequest request, HttpResponse.BodyHandler<T> handler) throws InterruptedException {
        if (opened || !opening.tryLock(OPENING.toMillis(), TimeUnit.MILLISECONDS)) {
            return http.sendAsync(request, handler);
        }
        try {
            var answer = http.sendAsync(request, handler);
            opened |= isAnswered(answer);
            return answer;
        } finally {
            opening.unlock();
        }
    }

    private boolean isAnswered(CompletableFuture<?> answer) throws InterruptedException {
        if (opened) {
            return true;
        }
        try {
            answer.get(OPENING.toMillis(), TimeUnit.MILLISECONDS);
            return true;
        } catch (ExecutionException | TimeoutException _) {
            // The sender learns of it by the same future.
            return false;
        } catch (InterruptedException e) {
            answer.cancel(true);
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

    /// Uses fewer streams from now on than are reserved, and leaves one for the probe.
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

    /// Takes no more requests; those that were sent come to their end.
    void retire() {
        retired = true;
        http.shutdown();
    }

    /// Fails all requests that were sent.
    void abort() {
        lost = true;
        http.shutdownNow();
    }

    /// True when requests failed because the connection was given up, not for their own sake.
    boolean isLost() {
        return lost;
    }

    /// Something came from the server.
    void heard() {
        heardNanos = System.nanoTime();
    }

    /// How long nothing has come from the server.
    Duration silence() {
        return Duration.ofNanos(System.nanoTime() - heardNanos);
    }

    /// Registers the body of an answer that is being read.
    void opened(StreamingBody body) {
        bodies.add(body);
    }

    void closed(StreamingBody body) {
        bodies.remove(body);
    }

    /// Sends a probe over the connection that new requests use. True when anything came from the
    /// server before the time was up, and while another probe is under way.
    boolean answers(HttpRequest probe, Duration patience) throws InterruptedException {
        if (!probing.tryLock()) {
            return true;
        }
        try {
            var before = heardNanos;
            return isAnswered(probe, patience) || heardNanos != before;
        } finally {
            probing.unlock();
        }
    }

    private boolean isAnswered(HttpRequest probe, Duration patience) throws InterruptedException {
        var answer = http.sendAsync(probe, HttpResponse.BodyHandlers.discarding());
        try {
            var came = answer.get(patience.toMillis(), TimeUnit.MILLISECONDS);
            heard();
            came.connectionLabel().ifPresent(this::leaveOthers);
            return true;
        } catch (TimeoutException _) {
            answer.cancel(true);
            return false;
        } catch (ExecutionException e) {
            if (isLimit(e)) {
                // There is no room for a probe: the next one may tell.
                heard();
            }
            return false;
        }
    }

    /// After a GOAWAY new requests, and the probe, use another connection than older watches. Those
    /// end, and go on over the connection that is known to work.
    private void leaveOthers(String label) {
        bodies.forEach(body -> body.leaveUnless(label));
    }
}
