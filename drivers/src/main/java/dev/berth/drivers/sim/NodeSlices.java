package dev.berth.drivers.sim;

import dev.berth.client.cache.CacheIndex;
import dev.berth.client.cache.ObjectCache;
import dev.berth.model.api.slice.Device;
import dev.berth.model.api.slice.DeviceId;
import dev.berth.model.api.slice.NodeScope;
import dev.berth.model.api.slice.ResourceSlice;
import dev.berth.node.slices.SliceWriter;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// Cached ResourceSlices by node, with the simulator's own writes; slices without a node are under
/// the empty name.
final class NodeSlices implements SliceWriter.Listener {

    private final ObjectCache<ResourceSlice> cache;
    private final CacheIndex<String, ResourceSlice> byNode;

    NodeSlices(ObjectCache<ResourceSlice> cache) {
        this.cache = cache;
        this.byNode = cache.index(slice -> List.of(node(slice)));
    }

    List<ResourceSlice> of(String node) {
        return byNode.find(node);
    }

    /// A published device that a node can use.
    Optional<Device> device(String node, DeviceId id) {
        return Stream.concat(of(node).stream(), of("").stream())
                .filter(slice -> slice.poolId().equals(id.poolId()))
                .flatMap(slice -> slice.spec().devices().stream())
                .filter(device -> device.name().equals(id.device()))
                .findFirst();
    }

    static String node(ResourceSlice slice) {
        return slice.spec().scope() instanceof NodeScope.OneNode(var name) ? name : "";
    }

    @Override
    public void stored(ResourceSlice sent, ResourceSlice stored) {
        cache.putWritten(stored);
    }

    @Override
    public void deleted(ResourceSlice slice) {
        cache.remove(slice);
    }
}
