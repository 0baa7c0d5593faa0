package dev.berth.dashboard.fleet;

import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import java.util.List;
import java.util.Optional;

/// A published device, without its state. Names contain `{node}` instead of the name of the node,
/// so that devices of identical nodes are equal.
///
/// @param index number in the name of the device, or its position among devices of its kind
/// @param partition place in a device with partitions
record DeviceShape(
        String name,
        String driver,
        String pool,
        DeviceKind kind,
        long index,
        List<Long> numaNodes,
        List<String> pcieRoots,
        List<String> classes,
        String product,
        String memory,
        List<CapacityShape> capacities,
        Optional<PartitionPlace> partition) {

    DeviceShape {
        numaNodes = List.copyOf(numaNodes);
        pcieRoots = List.copyOf(pcieRoots);
        classes = List.copyOf(classes);
        capacities = List.copyOf(capacities);
    }

    /// A capacity of a shared device: amounts are shown as `amount / scale` and the suffix.
    record CapacityShape(String name, double total, double scale, String suffix) {}

    /// The place of a partition.
    ///
    /// @param unit position of the device with partitions in the shape
    record PartitionPlace(int unit, String profile, List<Integer> cells, double share) {
        PartitionPlace {
            cells = List.copyOf(cells);
        }
    }

    JsonObject json() {
        var tree =
                JsonObject.of("name", Json.of(name))
                        .with("driver", Json.of(driver))
                        .with("pool", Json.of(pool))
                        .with("kind", Json.of(kind.letter()))
                        .with("index", Json.of(index))
                        .with("classes", JsonLists.texts(classes));
        tree = numaNodes.isEmpty() ? tree : tree.with("numa", JsonLists.numbers(numaNodes));
        tree = pcieRoots.isEmpty() ? tree : tree.with("root", JsonLists.texts(pcieRoots));
        tree = product.isEmpty() ? tree : tree.with("product", Json.of(product));
        tree = memory.isEmpty() ? tree : tree.with("memory", Json.of(memory));
        if (!capacities.isEmpty()) {
            tree =
                    tree.with(
                            "capacities",
                            Json.array(capacities.stream().map(DeviceShape::json).toList()));
        }
        if (partition.isPresent()) {
            var place = partition.get();
            tree =
                    tree.with("profile", Json.of(place.profile))
                            .with("unit", Json.of(place.unit))
                            .with("cells", JsonLists.integers(place.cells))
                            .with("share", JsonLists.decimal(place.share));
        }
        return tree;
    }

    private static JsonObject json(CapacityShape capacity) {
        return JsonObject.of("name", Json.of(capacity.name))
                .with("total", JsonLists.decimal(capacity.total))
                .with("scale", JsonLists.decimal(capacity.scale))
                .with("suffix", Json.of(capacity.suffix));
    }
}
