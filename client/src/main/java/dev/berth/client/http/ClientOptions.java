package dev.berth.client.http;

import dev.berth.metrics.MetricsRegistry;
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
/// @param metrics registry of the process
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
        Encoding encoding,
        MetricsRegistry metrics) {

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
                Encoding.PROTOBUF,
                MetricsRegistry.off());
    }

    public ClientOptions withRequestTimeout(Duration changed) {
        return with(copy -> copy.requestTimeout = changed);
    }

    public ClientOptions withIdleTimeout(Duration changed) {
        return with(copy -> copy.idleTimeout = changed);
    }

    public ClientOptions withBackoff(Duration first, Duration longest) {
        return with(copy -> {
            copy.initialBackoff = first;
            copy.maxBackoff = longest;
        });
    }

    public ClientOptions withPageSize(int changed) {
        return with(copy -> copy.pageSize = changed);
    }

    public ClientOptions withRandom(RandomGenerator changed) {
        return with(copy -> copy.random = changed);
    }

    public ClientOptions withLiveness(Liveness changed) {
        return with(copy -> copy.liveness = changed);
    }

    public ClientOptions withProblems(Consumer<String> changed) {
        return with(copy -> copy.problems = changed);
    }

    public ClientOptions withEncoding(Encoding changed) {
        return with(copy -> copy.encoding = changed);
    }

    /// The same with metrics in a registry; by default nothing is measured.
    public ClientOptions withMetrics(MetricsRegistry changed) {
        return with(copy -> copy.metrics = changed);
    }

    private ClientOptions with(Consumer<Copy> change) {
        var copy = new Copy(this);
        change.accept(copy);
        return copy.build();
    }

    /// The components by name, for copies with changes.
    private static final class Copy {
        private String manager;
        private String version;
        private RandomGenerator random;
        private Duration requestTimeout;
        private Duration idleTimeout;
        private Duration initialBackoff;
        private Duration maxBackoff;
        private int pageSize;
        private Liveness liveness;
        private Consumer<String> problems;
        private Encoding encoding;
        private MetricsRegistry metrics;

        Copy(ClientOptions from) {
            manager = from.manager;
            version = from.version;
            random = from.random;
            requestTimeout = from.requestTimeout;
            idleTimeout = from.idleTimeout;
            initialBackoff = from.initialBackoff;
            maxBackoff = from.maxBackoff;
            pageSize = from.pageSize;
            liveness = from.liveness;
            problems = from.problems;
            encoding = from.encoding;
            metrics = from.metrics;
        }

        ClientOptions build() {
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
                    encoding,
                    metrics);
        }
    }
}
