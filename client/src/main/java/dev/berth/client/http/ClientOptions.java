package dev.berth.client.http;

import java.time.Duration;
import java.util.Random;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/// How to speak with a server.
///
/// @param manager the field manager of writes
/// @param version ours, for the user agent `berth/VERSION`
/// @param random spreads what many clients do at once; used by many threads
/// @param requestTimeout for one request and for all waiting that the server asks for
/// @param idleTimeout after which a watch that says nothing is begun anew; servers send bookmarks
///   about once a minute
/// @param firstPause after the first failure of a watch; later ones are longer
/// @param longestPause between two attempts
/// @param pageSize objects of a list that are asked for at once
/// @param liveness when a silent connection is given up
/// @param problems told when the server cannot be reached: what is wrong and what to do, in one
///   line at once, on change and once a minute; and when it answers again
public record ClientOptions(
        String manager,
        String version,
        RandomGenerator random,
        Duration requestTimeout,
        Duration idleTimeout,
        Duration firstPause,
        Duration longestPause,
        int pageSize,
        Liveness liveness,
        Consumer<String> problems,
        Encoding encoding) {

    /// What is asked for and sent for objects of built-in kinds. Custom kinds are always JSON.
    public enum Encoding {
        /// Cheapest to read into records, and keeps fields that our schemas lack.
        JSON,
        /// Protobuf where the server has it, JSON otherwise: less work for Kubernetes' servers and
        /// fewer bytes.
        PROTOBUF
    }

    /// Detection of connections that died without a word, as Kubernetes' own clients do it.
    ///
    /// @param readIdle silence after which a connection in use is probed
    /// @param probeTimeout after which it is given up
    public record Liveness(Duration readIdle, Duration probeTimeout) {

        public static final Liveness DEFAULT =
                new Liveness(Duration.ofSeconds(30), Duration.ofSeconds(15));
    }

    /// What is right for most.
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
                firstPause,
                longestPause,
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
                firstPause,
                longestPause,
                pageSize,
                liveness,
                problems,
                encoding);
    }

    public ClientOptions withPauses(Duration first, Duration longest) {
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
                firstPause,
                longestPause,
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
                firstPause,
                longestPause,
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
                firstPause,
                longestPause,
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
                firstPause,
                longestPause,
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
                firstPause,
                longestPause,
                pageSize,
                liveness,
                problems,
                changed);
    }
}
