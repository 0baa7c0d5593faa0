package dev.berth.drivers.sim;

import dev.berth.client.Cluster;
import dev.berth.model.api.Device;
import dev.berth.model.api.DeviceId;
import dev.berth.model.api.NodeScope;
import dev.berth.model.api.ResourceSlice;
import dev.berth.node.slices.SliceWriter;
import java.util.Collection;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.stream.Stream;

/// Cache of all ResourceSlices by node; slices without a node are under the empty name.
final class ObservedSlices implements Cluster.EventHandler<ResourceSlice>, SliceWriter.Listener {

    private final Map<String, Map<String, ResourceSlice>> byNode = new ConcurrentHashMap<>();
    private final Consumer<String> onChange;
    private final Runnable onSynced;
    private volatile boolean hasSynced;

    /// @param onChange called with the node of each slice that is added, changed or deleted
    ObservedSlices(Consumer<String> onChange, Runnable onSynced) {
        this.onChange = onChange;
        this.onSynced = onSynced;
    }

    Collection<ResourceSlice> of(String node) {
        return byNode.getOrDefault(node, Map.of()).values();
    }

    /// A published device that a node can use.
    Optional<Device> device(String node, DeviceId id) {
        return Stream.concat(of(node).stream(), of("").stream())
                .filter(slice -> slice.poolId().equals(id.poolId()))
                .flatMap(slice -> slice.spec().devices().stream())
                .filter(device -> device.name().equals(id.device()))
                .findFirst();
    }

    @Override
    public void replaceAll(Iterable<ResourceSlice> everything) {
        var names = new HashSet<String>();
        for (var slice : everything) {
            names.add(slice.metadata().name());
            put(slice);
        }
        byNode.forEach((node, slices) -> {
            if (slices.keySet().retainAll(names)) {
                onChange.accept(node);
            }
        });
        hasSynced = true;
        onSynced.run();
    }

    /// Whether the initial list is complete.
    boolean hasSynced() {
        return hasSynced;
    }

    @Override
    public void put(ResourceSlice slice) {
        if (putIfNewer(slice)) {
            onChange.accept(node(slice));
        }
    }

    /// Caches a slice; false when it is not newer than the cached one.
    private boolean putIfNewer(ResourceSlice slice) {
        var isNew = new AtomicBoolean();
        byNode.computeIfAbsent(node(slice), _ -> new ConcurrentHashMap<>())
                .compute(
                        slice.metadata().name(),
                        (_, old) -> {
                            if (old != null && version(slice) <= version(old)) {
                                return old;
                            }
                            isNew.set(true);
                            return slice;
                        });
        return isNew.get();
    }

    @Override
    public void stored(ResourceSlice sent, ResourceSlice stored) {
        putIfNewer(stored);
    }

    @Override
    public void remove(ResourceSlice slice) {
        deleted(slice);
        onChange.accept(node(slice));
    }

    @Override
    public void deleted(ResourceSlice slice) {
        byNode.getOrDefault(node(slice), new ConcurrentHashMap<>())
                .computeIfPresent(
                        slice.metadata().name(),
                        (_, old) -> version(old) > version(slice) ? old : null);
    }

    private static String node(ResourceSlice slice) {
        return slice.spec().scope() instanceof NodeScope.OneNode(var name) ? name : "";
    }

    private static long version(ResourceSlice slice) {
        try {
            return Long.parseLong(slice.metadata().resourceVersion());
        } catch (NumberFormatException _) {
            return Long.MAX_VALUE;
        }
    }
}
