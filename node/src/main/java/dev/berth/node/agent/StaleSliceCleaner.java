package dev.berth.node.agent;

import dev.berth.client.Cluster;
import dev.berth.client.Request;
import dev.berth.client.RequestResult;
import dev.berth.client.ResourcePath;
import dev.berth.client.cache.ObjectCache;
import dev.berth.model.api.ResourceSlice;
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

/// Removes what vanished drivers have published for this node, so that nobody is given devices that
/// cannot be prepared: everything when the agent starts, since no driver has registered then, and
/// later what is of a driver that could not be called for a while.
final class StaleSliceCleaner implements AutoCloseable {

    /// So long a driver may be away.
    static final Duration PATIENCE = Duration.ofSeconds(30);

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

    /// Waits until all that was there before is gone; false when that takes longer.
    boolean awaitClean(Duration patience) throws InterruptedException {
        return isClean.await(patience.toMillis(), TimeUnit.MILLISECONDS);
    }

    private void run() {
        try {
            while (!slices.awaitSynced(INTERVAL)) {
                // The cluster cannot be reached yet.
            }
            var old = new HashSet<String>();
            slices.all().forEach(slice -> old.add(slice.metadata().name()));
            old.removeIf(this::delete);
            while (!old.isEmpty()) {
                Thread.sleep(INTERVAL);
                old.removeIf(this::delete);
            }
            isClean.countDown();
            var away = new HashMap<String, Instant>();
            while (true) {
                for (var driver : lost(away, drivers(), plugins.connected(), clock.instant())) {
                    wipe(driver);
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

    /// Which drivers have been away for too long.
    ///
    /// @param away since when each is away; brought up to date
    static Set<String> lost(
            Map<String, Instant> away, Set<String> drivers, Set<String> connected, Instant now) {
        away.keySet().retainAll(drivers);
        away.keySet().removeAll(connected);
        var lost = new HashSet<String>();
        for (var driver : drivers) {
            if (!connected.contains(driver)) {
                var since = away.computeIfAbsent(driver, _ -> now);
                if (!since.plus(PATIENCE).isAfter(now)) {
                    lost.add(driver);
                }
            }
        }
        return lost;
    }

    private void wipe(String driver) {
        LOG.warn("driver {} has been gone for {}; its slices are removed", driver, PATIENCE);
        for (var slice : slices.all()) {
            if (slice.spec().driver().equals(driver)) {
                var _ = delete(slice.metadata().name());
            }
        }
    }

    /// True when it is gone.
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
