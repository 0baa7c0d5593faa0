package dev.berth.node.agent;

import dev.berth.client.Cluster;
import dev.berth.client.Request;
import dev.berth.client.RequestResult;
import dev.berth.client.ResourcePath;
import dev.berth.client.cache.ObjectCache;
import dev.berth.model.api.slice.ResourceSlice;
import dev.berth.model.codec.Kinds;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Deletes ResourceSlices of drivers that are gone from this node, so that the scheduler does not
/// allocate devices that cannot be prepared. At the start it deletes all slices of the node,
/// because no driver has registered yet; later those of drivers that were disconnected longer than
/// the grace period.
final class StaleSliceCleaner implements AutoCloseable {

    /// How long a driver may be disconnected.
    static final Duration GRACE_PERIOD = Duration.ofSeconds(30);

    private static final Logger LOG = LoggerFactory.getLogger(StaleSliceCleaner.class);
    private static final ResourcePath SLICES = ResourcePath.of(Kinds.RESOURCE_SLICE);
    private static final Duration INTERVAL = Duration.ofSeconds(1);

    private final Cluster cluster;
    private final PluginWatcher plugins;
    private final Clock clock;
    private final ObjectCache<ResourceSlice> slices = ObjectCache.ofRecords();
    private final Cluster.Subscription subscription;
    private final CountDownLatch isClean = new CountDownLatch(1);
    private final Thread thread;

    StaleSliceCleaner(Cluster cluster, String node, PluginWatcher plugins, Clock clock) {
        this.cluster = cluster;
        this.plugins = plugins;
        this.clock = clock;
        this.subscription = cluster.watch(Kinds.RESOURCE_SLICE, "spec.nodeName=" + node, slices);
        this.thread = Thread.ofVirtual().name("slices").start(this::run);
    }

    /// Waits until all slices of earlier drivers are deleted. Returns false on timeout.
    boolean awaitClean(Duration timeout) throws InterruptedException {
        return isClean.await(timeout.toMillis(), TimeUnit.MILLISECONDS);
    }

    private void run() {
        try {
            while (!slices.awaitSynced(INTERVAL)) {
                // The API server cannot be reached yet.
            }
            var old = new HashSet<String>();
            slices.all().forEach(slice -> old.add(slice.metadata().name()));
            old.removeIf(this::delete);
            while (!old.isEmpty()) {
                Thread.sleep(INTERVAL);
                old.removeIf(this::delete);
            }
            isClean.countDown();
            var disconnectedSince = new HashMap<String, Instant>();
            while (true) {
                for (var driver :
                        expired(
                                disconnectedSince,
                                drivers(),
                                plugins.connected(),
                                clock.instant())) {
                    deleteSlices(driver);
                }
                Thread.sleep(INTERVAL);
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private Set<String> drivers() {
        var drivers = new HashSet<String>();
        slices.all().forEach(slice -> drivers.add(slice.spec().driver()));
        return drivers;
    }

    /// Drivers whose plugin socket has been disconnected longer than the grace period.
    ///
    /// @param disconnectedSince start of the disconnection by driver; updated by this method
    static Set<String> expired(
            Map<String, Instant> disconnectedSince,
            Set<String> drivers,
            Set<String> connected,
            Instant now) {
        disconnectedSince.keySet().retainAll(drivers);
        disconnectedSince.keySet().removeAll(connected);
        var expired = new HashSet<String>();
        for (var driver : drivers) {
            if (!connected.contains(driver)) {
                var since = disconnectedSince.computeIfAbsent(driver, _ -> now);
                if (!since.plus(GRACE_PERIOD).isAfter(now)) {
                    expired.add(driver);
                }
            }
        }
        return expired;
    }

    private void deleteSlices(String driver) {
        LOG.warn(
                "driver {} has been disconnected for {}; deleting its slices",
                driver,
                GRACE_PERIOD);
        for (var slice : slices.all()) {
            if (slice.spec().driver().equals(driver)) {
                var _ = delete(slice.metadata().name());
            }
        }
    }

    /// Deletes a slice. Returns whether it is gone.
    private boolean delete(String slice) {
        var outcome =
                cluster.send(
                        new Request.Delete(
                                SLICES, "", slice, Optional.empty(), OptionalLong.empty()));
        return outcome.isDone() || outcome instanceof RequestResult.Missing;
    }

    @Override
    public void close() {
        thread.interrupt();
        subscription.close();
    }
}
