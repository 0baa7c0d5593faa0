package dev.berth.server.lifecycle;

import dev.berth.server.registry.Registry;
import dev.berth.server.registry.Resource;
import dev.berth.server.store.Change;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Runs all loops over all kinds, for as long as the server lives.
public final class ServerControllers implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(ServerControllers.class);
    private static final Duration SWEEP_INTERVAL = Duration.ofMinutes(1);
    private static final String CUSTOM_KINDS = "apiextensions.k8s.io/customresourcedefinitions";

    private final Registry registry;
    private final KeyedExecutor errands = new KeyedExecutor();
    private final GarbageCollector collector;
    private final NamespaceController namespaces;
    private final Consumer<Change> others;
    private final Thread sweeper;
    // Guarded by this.
    private final Map<String, CollectionLoop> loops = new LinkedHashMap<>();

    /// @param others follows all changes, before our own loops do
    public ServerControllers(Registry registry, String rootCertificate, Consumer<Change> others) {
        this.registry = registry;
        this.collector = new GarbageCollector(registry, errands);
        this.namespaces = new NamespaceController(registry, rootCertificate);
        this.others = others;
        this.sweeper = Thread.ofVirtual().name("sweep").unstarted(this::sweep);
    }

    public void start() {
        errands.start();
        followAll();
        sweeper.start();
    }

    /// Follows kinds that are not followed yet, and no longer those that are gone.
    private synchronized void followAll() {
        var served =
                registry.resources().all().stream().map(Resource::collection).distinct().toList();
        loops.entrySet()
                .removeIf(entry -> {
                    var gone = !served.contains(entry.getKey());
                    if (gone) {
                        entry.getValue().close();
                    }
                    return gone;
                });
        for (var collection : served) {
            loops.computeIfAbsent(
                    collection, one -> new CollectionLoop(registry.store(), one, this::follow));
        }
    }

    private void follow(Change change) {
        on(change);
        if (change.entry().key().collection().equals(CUSTOM_KINDS)) {
            followAll();
        }
    }

    /// Does what a change calls for, when somebody follows the store for this one.
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
            events.sweep();
        } catch (RuntimeException e) {
            LOG.warn("old events were not removed: {}", e.getMessage());
        }
    }

    @Override
    public synchronized void close() {
        sweeper.interrupt();
        loops.values().forEach(CollectionLoop::close);
        errands.close();
    }
}
