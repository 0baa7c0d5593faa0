package dev.berth.dashboard;

import dev.berth.client.Cluster;
import dev.berth.core.allocate.Allocator;
import dev.berth.dashboard.fleet.FleetModel;
import dev.berth.dashboard.history.UsageHistory;
import dev.berth.dashboard.http.DataBody;
import dev.berth.dashboard.http.EventLog;
import dev.berth.dashboard.pending.PendingPods;
import dev.berth.dashboard.watch.ClusterWatch;
import dev.berth.dashboard.watch.SnapshotUpdates;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Applies watched changes to the fleet on a thread of its own, and publishes them as events.
final class FleetUpdater implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(FleetUpdater.class);

    /// Changes within this time are one event.
    private static final Duration GATHERING = Duration.ofMillis(100);

    /// The same without viewers, who would see the difference.
    private static final Duration GATHERING_UNSEEN = Duration.ofSeconds(1);

    private final DashboardOptions options;
    private final ClusterWatch watch;
    private final SnapshotUpdates updates;
    private final FleetModel fleet;
    private final EventLog events;
    private final AccessReport access;
    private final HistoryRecorder recorder;
    private final ConnectionProbe probe;
    private final Thread thread;
    private Optional<Thread> sampler = Optional.empty();

    // Guards the fields below, so that a body has the revision of its content.
    private final Object publication = new Object();
    private Optional<FleetBody> body = Optional.empty();
    private int pending;
    private long pendingFingerprint;
    private boolean isLoaded;

    private record FleetBody(String revision, DataBody body) {}

    private FleetUpdater(Cluster cluster, DashboardOptions options, Allocator allocator) {
        this.options = options;
        this.watch = new ClusterWatch(cluster);
        this.updates = SnapshotUpdates.of(watch);
        this.fleet = new FleetModel(watch, allocator, options.clock());
        this.events = new EventLog(options.epoch());
        this.probe = new ConnectionProbe(cluster, events, options.clock());
        this.access = new AccessReport(watch, options.identity());
        this.recorder =
                new HistoryRecorder(
                        watch,
                        UsageHistory.open(options.clock(), options.history()),
                        options.clock());
        this.thread = Thread.ofVirtual().name("dashboard-updates").unstarted(this::update);
    }

    static FleetUpdater start(Cluster cluster, DashboardOptions options, Allocator allocator) {
        var updater = new FleetUpdater(cluster, options, allocator);
        updater.watch.start();
        updater.thread.start();
        updater.probe.start();
        updater.sampler = Optional.of(updater.recorder.start(updater));
        return updater;
    }

    ClusterWatch watch() {
        return watch;
    }

    FleetModel fleet() {
        return fleet;
    }

    HistoryRecorder recorder() {
        return recorder;
    }

    EventLog events() {
        return events;
    }

    private void update() {
        try {
            while (true) {
                updates.await();
                Thread.sleep(events.hasReaders() ? GATHERING : GATHERING_UNSEEN);
                if (watch.isSettled()) {
                    apply();
                }
            }
        } catch (InterruptedException _) {
            LOG.debug("the dashboard stops");
        } catch (RuntimeException e) {
            LOG.error("the dashboard no longer shows changes", e);
        }
    }

    private void apply() {
        synchronized (publication) {
            var touched = updates.takeTouchedClaims();
            recorder.update(touched);
            var delta = fleet.update(updates.applied(fleet.snapshot()), touched);
            var changed = delta.orElse(JsonObject.EMPTY);
            var newAccess = access.changed();
            changed = newAccess.isPresent() ? changed.with("access", newAccess.get()) : changed;
            var waiting = PendingPods.of(watch);
            if (waiting.size() != pending) {
                pending = waiting.size();
                changed = changed.with("pending", pendingJson());
            }
            if (!changed.isEmpty() || !isLoaded) {
                events.add("change", changed.with("time", Json.of(options.clock().instant())));
            }
            var fingerprint = PendingPods.fingerprint(waiting);
            if (fingerprint != pendingFingerprint) {
                pendingFingerprint = fingerprint;
                events.add("pending", pendingJson());
            }
            isLoaded = true;
        }
    }

    private JsonObject pendingJson() {
        return JsonObject.of("pods", Json.of(pending));
    }

    boolean isLoaded() {
        synchronized (publication) {
            return isLoaded;
        }
    }

    /// The whole fleet. It is written once per revision, for all viewers.
    DataBody body() {
        synchronized (publication) {
            var revision = events.revision();
            if (body.filter(one -> one.revision.equals(revision)).isEmpty()) {
                body = Optional.of(new FleetBody(revision, DataBody.of(json(revision))));
            }
            return body.get().body;
        }
    }

    private JsonObject json(String revision) {
        return fleet.json()
                .with("access", access.json())
                .with("pending", pendingJson())
                .beginningWith(
                        JsonObject.of("rev", Json.of(revision))
                                .with("time", Json.of(options.clock().instant()))
                                .with("cluster", Json.of(options.identity().name()))
                                .with("connected", Json.of(probe.isConnected())));
    }

    @Override
    public void close() {
        sampler.ifPresent(Thread::interrupt);
        probe.close();
        thread.interrupt();
        watch.close();
        recorder.close();
    }
}
