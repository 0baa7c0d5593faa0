package dev.berth.server.lifecycle;

import dev.berth.metrics.WorkQueueMetrics;
import dev.berth.server.registry.Registry;
import dev.berth.server.registry.Resource;
import dev.berth.server.store.Change;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Runs the controllers of the server: garbage collection, namespaces and event expiry.
public final class ServerControllers implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(ServerControllers.class);
    private static final Duration SWEEP_INTERVAL = Duration.ofMinutes(1);
    private static final String CUSTOM_KINDS = "apiextensions.k8s.io/customresourcedefinitions";

    private final Registry registry;
    private final GarbageCollector collector;
    private final NamespaceController namespaces;
    private final Consumer<Change> others;
    private final Thread sweeper;
    // Guarded by this.
    private final Map<String, CollectionLoop> loops = new LinkedHashMap<>();

    /// @param others handles every change before these controllers
    public ServerControllers(Registry registry, String rootCertificate, Consumer<Change> others) {
        this.registry = registry;
        this.collector = new GarbageCollector(registry);
        this.namespaces = new NamespaceController(registry, rootCertificate);
        this.others = others;
        this.sweeper = Thread.ofVirtual().name("sweep").unstarted(this::sweep);
    }

    public void start(WorkQueueMetrics metrics) {
        metrics.observe("garbagecollector", collector, registry.clock());
        collector.start();
        watchAll();
        sweeper.start();
    }

    /// Starts to watch new kinds, and stops to watch removed ones.
    private synchronized void watchAll() {
        var served =
                registry.resources().all().stream().map(Resource::collection).distinct().toList();
        loops.entrySet()
                .removeIf(entry -> {
                    var removed = !served.contains(entry.getKey());
                    if (removed) {
                        entry.getValue().close();
                    }
                    return removed;
                });
        for (var collection : served) {
            loops.computeIfAbsent(
                    collection, one -> new CollectionLoop(registry.store(), one, this::handle));
        }
    }

    private void handle(Change change) {
        on(change);
        if (change.entry().key().collection().equals(CUSTOM_KINDS)) {
            watchAll();
        }
    }

    /// Handles one change; called directly by simulations, which have no watch loops.
    public void on(Change change) {
        others.accept(change);
        collector.on(change);
        namespaces.on(change);
    }

    private void sweep() {
        var events = new EventExpiry(registry);
        try {
            while (true) {
                Thread.sleep(SWEEP_INTERVAL);
                sweep(events);
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private static void sweep(EventExpiry events) {
        try {
            events.deleteExpired();
        } catch (RuntimeException e) {
            LOG.warn("deleting expired events failed: {}", e.getMessage());
        }
    }

    @Override
    public synchronized void close() {
        sweeper.interrupt();
        loops.values().forEach(CollectionLoop::close);
        collector.close();
    }
}
