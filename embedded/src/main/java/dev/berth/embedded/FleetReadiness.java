package dev.berth.embedded;

import dev.berth.client.Cluster;
import dev.berth.client.ResourcePath;
import dev.berth.core.publish.DesiredPool;
import dev.berth.drivers.sim.FleetPlan;
import dev.berth.model.api.slice.PoolId;
import dev.berth.model.api.slice.ResourceSlice;
import dev.berth.model.codec.Kinds;
import dev.berth.model.json.JsonObject;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/// Watches a cluster until its planned nodes are registered and ready, and their slices are
/// published.
public final class FleetReadiness implements AutoCloseable {

    private static final Duration REPORT_INTERVAL = Duration.ofMillis(250);

    private final Cluster.Subscription nodeSubscription;
    private final Cluster.Subscription sliceSubscription;

    // Guarded by the lock of this object, like the fields below.
    private final Map<String, List<PoolId>> plannedNodes = new HashMap<>();
    private final Set<PoolId> plannedPools = new HashSet<>();
    private final Set<String> registered = new HashSet<>();
    private final Set<String> ready = new HashSet<>();
    private final Map<PoolId, Set<String>> slices = new HashMap<>();
    private final Set<PoolId> complete = new HashSet<>();

    /// Starts the watch.
    ///
    /// @param plan the simulated nodes and their pools
    public FleetReadiness(Cluster cluster, FleetPlan plan) {
        for (var shape : plan.nodes()) {
            var pools = shape.pools().stream().map(DesiredPool::id).toList();
            plannedNodes.put(shape.name(), pools);
            plannedPools.addAll(pools);
        }
        plan.sharedPools().forEach(pool -> plannedPools.add(pool.id()));
        this.nodeSubscription = cluster.watch(ResourcePath.of(Kinds.NODE), "", new Nodes());
        this.sliceSubscription = cluster.watch(Kinds.RESOURCE_SLICE, "", new Slices());
    }

    /// Waits until all nodes are registered; false after the timeout.
    ///
    /// @param progress receives what is missing, from time to time
    public boolean awaitRegistered(Duration timeout, Consumer<String> progress)
            throws InterruptedException {
        return await(timeout, progress, false);
    }

    /// Waits until all nodes are ready and all pools are published.
    public boolean awaitReady(Duration timeout, Consumer<String> progress)
            throws InterruptedException {
        return await(timeout, progress, true);
    }

    private boolean await(Duration timeout, Consumer<String> progress, boolean isComplete)
            throws InterruptedException {
        var end = System.nanoTime() + timeout.toNanos();
        while (true) {
            String missing;
            synchronized (this) {
                missing = missing(isComplete);
                var left = Duration.ofNanos(end - System.nanoTime());
                if (missing.isEmpty() || !left.isPositive()) {
                    return missing.isEmpty();
                }
                wait(Math.max(1, Math.min(left.toMillis(), REPORT_INTERVAL.toMillis())));
                missing = missing(isComplete);
            }
            if (!missing.isEmpty()) {
                progress.accept(missing);
            }
        }
    }

    /// Nodes and pools that are missing, as text; empty when there are none.
    public synchronized String missing(boolean isComplete) {
        if (registered.size() < plannedNodes.size()) {
            return "registering nodes: %d of %d".formatted(registered.size(), plannedNodes.size());
        }
        if (!isComplete) {
            return "";
        }
        if (ready.size() < plannedNodes.size()) {
            return "waiting for nodes: %d of %d are ready"
                    .formatted(ready.size(), plannedNodes.size());
        }
        return complete.size() < plannedPools.size()
                ? "publishing devices: %d of %d pools"
                        .formatted(complete.size(), plannedPools.size())
                : "";
    }

    @Override
    public void close() {
        nodeSubscription.close();
        sliceSubscription.close();
    }

    private synchronized void node(JsonObject node) {
        var name = node.objectOrEmpty("metadata").text("name");
        if (plannedNodes.containsKey(name)) {
            registered.add(name);
            var isReady =
                    node.objectOrEmpty("status").objects("conditions").stream()
                            .anyMatch(one ->
                                    one.text("type").equals("Ready")
                                            && one.text("status").equals("True"));
            if (isReady) {
                ready.add(name);
            }
            notifyAll();
        }
    }

    /// Stops waiting for a node that was deleted.
    private synchronized void deleted(String name) {
        var pools = plannedNodes.remove(name);
        if (pools != null) {
            registered.remove(name);
            ready.remove(name);
            pools.forEach(plannedPools::remove);
            pools.forEach(complete::remove);
            notifyAll();
        }
    }

    private synchronized void slice(ResourceSlice slice) {
        var pool = slice.poolId();
        if (plannedPools.contains(pool) && !complete.contains(pool)) {
            var names = slices.computeIfAbsent(pool, _ -> new HashSet<>());
            names.add(slice.metadata().name());
            if (names.size() >= slice.spec().pool().resourceSliceCount()) {
                complete.add(pool);
                slices.remove(pool);
            }
            notifyAll();
        }
    }

    private final class Nodes implements Cluster.EventHandler<JsonObject> {
        @Override
        public void replaceAll(Iterable<JsonObject> objects) {
            objects.forEach(FleetReadiness.this::node);
        }

        @Override
        public void put(JsonObject object) {
            node(object);
        }

        @Override
        public void remove(JsonObject object) {
            deleted(object.objectOrEmpty("metadata").text("name"));
        }
    }

    private final class Slices implements Cluster.EventHandler<ResourceSlice> {
        @Override
        public void replaceAll(Iterable<ResourceSlice> objects) {
            objects.forEach(FleetReadiness.this::slice);
        }

        @Override
        public void put(ResourceSlice object) {
            slice(object);
        }

        @Override
        public void remove(ResourceSlice object) {}
    }
}
