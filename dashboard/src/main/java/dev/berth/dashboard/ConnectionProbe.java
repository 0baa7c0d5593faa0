package dev.berth.dashboard;

import dev.berth.client.Cluster;
import dev.berth.client.Request;
import dev.berth.client.RequestResult;
import dev.berth.client.ResourcePath;
import dev.berth.dashboard.http.EventLog;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import java.time.Clock;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Asks the cluster for a small object every few seconds, and publishes when it no longer answers,
/// or answers again. Watches retry silently, so that they do not tell.
final class ConnectionProbe implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(ConnectionProbe.class);

    private static final Duration INTERVAL = Duration.ofSeconds(10);
    private static final ResourcePath NAMESPACES = new ResourcePath("", "v1", "namespaces");

    private final Cluster cluster;
    private final EventLog events;
    private final Clock clock;
    private final Thread thread;
    private volatile boolean isConnected = true;

    ConnectionProbe(Cluster cluster, EventLog events, Clock clock) {
        this.cluster = cluster;
        this.events = events;
        this.clock = clock;
        this.thread = Thread.ofVirtual().name("dashboard-probe").unstarted(this::run);
    }

    void start() {
        thread.start();
    }

    boolean isConnected() {
        return isConnected;
    }

    private void run() {
        try {
            while (true) {
                Thread.sleep(INTERVAL);
                check();
            }
        } catch (InterruptedException _) {
            LOG.debug("the cluster is no longer probed");
        }
    }

    /// Sends one request. The user may be forbidden to read the object: that is an answer.
    void check() {
        var result = cluster.send(new Request.Get(NAMESPACES, "", "default"));
        var isNow = !(result instanceof RequestResult.Unavailable);
        if (isNow != isConnected) {
            isConnected = isNow;
            var status =
                    JsonObject.of("connected", Json.of(isNow))
                            .with("since", Json.of(clock.instant()));
            events.add(
                    "status", isNow ? status : status.with("message", Json.of(result.message())));
        }
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}
