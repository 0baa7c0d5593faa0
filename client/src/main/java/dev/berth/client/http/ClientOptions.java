package dev.berth.client.http;

import java.time.Duration;
import java.util.Random;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/// Options of a client.
///
/// @param manager the field manager of writes
/// @param version of Berth, for the user agent `berth/VERSION`
/// @param random jitter, so that many clients do not send at once; thread-safe
/// @param requestTimeout for one request including all waiting for `Retry-After`
/// @param idleTimeout after which a watch without events is restarted; servers send bookmarks about
///   once a minute
/// @param initialBackoff after the first failure of a watch; doubled after each further one
/// @param maxBackoff between two attempts
/// @param pageSize the `limit` of list requests
/// @param liveness when an idle connection is probed and closed
/// @param problems receives one line when the server cannot be reached, with reason and remedy: at
///   once, on change and once a minute; and one line when it responds again
public record ClientOptions(
        String manager,
        String version,
        RandomGenerator random,
        Duration requestTimeout,
        Duration idleTimeout,
        Duration initialBackoff,
        Duration maxBackoff,
        int pageSize,
        Liveness liveness,
        Consumer<String> problems,
        Encoding encoding) {

    /// The encoding of built-in kinds in requests and responses. Custom resources are always JSON.
    public enum Encoding {
        /// Cheapest to decode into records, and keeps fields that our schemas lack.
        JSON,
        /// Protobuf where the server supports it, JSON otherwise: less work for Kubernetes' servers
        /// and fewer bytes.
        PROTOBUF
    }

    /// Detection of dead connections, with the defaults of Kubernetes' own clients.
    ///
    /// @param readIdle time without received bytes after which a connection in use is probed
    /// @param probeTimeout after which the connection is closed
    public record Liveness(Duration readIdle, Duration probeTimeout) {

        public static final Liveness DEFAULT =
                new Liveness(Duration.ofSeconds(30), Duration.ofSeconds(15));
    }

    /// The defaults.
    public static ClientOptions of(String manager, String version) {
        return new ClientOptions(
                manager,
                version,
                new Random(),
                Duration.ofSeconds(30),
                Duration.ofSeconds(90),
                Duration.ofMillis(200),
                Duration.ofSeconds(30),
                500,
                Liveness.DEFAULT,
                _ -> {},
                Encoding.PROTOBUF);
    }

    public ClientOptions withRequestTimeout(Duration changed) {
        return new ClientOptions(
                manager,
                version,
                random,
                changed,
                idleTimeout,
                initialBackoff,
                maxBackoff,
                pageSize,
                liveness,
                problems,
                encoding);
    }

    public ClientOptions withIdleTimeout(Duration changed) {
        return new ClientOptions(
                manager,
                version,
                random,
                requestTimeout,
                changed,
                initialBackoff,
                maxBackoff,
                pageSize,
                liveness,
                problems,
                encoding);
    }

    public ClientOptions withBackoff(Duration first, Duration longest) {
        return new ClientOptions(
                manager,
                version,
                random,
                requestTimeout,
                idleTimeout,
                first,
                longest,
                pageSize,
                liveness,
                problems,
                encoding);
    }

    public ClientOptions withPageSize(int changed) {
        return new ClientOptions(
                manager,
                version,
                random,
                requestTimeout,
                idleTimeout,
                initialBackoff,
                maxBackoff,
                changed,
                liveness,
                problems,
                encoding);
    }

    public ClientOptions withRandom(RandomGenerator changed) {
        return new ClientOptions(
                manager,
                version,
                changed,
                requestTimeout,
                idleTimeout,
                initialBackoff,
                maxBackoff,
                pageSize,
                liveness,
                problems,
                encoding);
    }

    public ClientOptions withLiveness(Liveness changed) {
        return new ClientOptions(
                manager,
                version,
                random,
                requestTimeout,
                idleTimeout,
                initialBackoff,
                maxBackoff,
                pageSize,
                changed,
                problems,
                encoding);
    }

    public ClientOptions withProblems(Consumer<String> changed) {
        return new ClientOptions(
                manager,
                version,
                random,
                requestTimeout,
                idleTimeout,
                initialBackoff,
                maxBackoff,
                pageSize,
                liveness,
                changed,
                encoding);
    }

    public ClientOptions withEncoding(Encoding changed) {
        return new ClientOptions(
                manager,
                version,
                random,
                requestTimeout,
                idleTimeout,
                initialBackoff,
                maxBackoff,
                pageSize,
                liveness,
                problems,
                changed);
    }
}
