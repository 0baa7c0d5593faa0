package dev.berth.dashboard.fleet;

import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import java.util.List;

/// A device with partitions (a GPU) in the shape of a node.
///
/// @param cells number of cells; 0 without counters that are cells
/// @param frame position of the device that stands for the whole, or -1
/// @param parts positions of the partitions
record UnitShape(
        String name,
        String driver,
        String pool,
        DeviceKind kind,
        long index,
        List<Long> numaNodes,
        List<String> pcieRoots,
        int cells,
        String cellName,
        int frame,
        List<Integer> parts) {

    UnitShape {
        numaNodes = List.copyOf(numaNodes);
        pcieRoots = List.copyOf(pcieRoots);
        parts = List.copyOf(parts);
    }

    JsonObject json() {
        var tree =
                JsonObject.of("name", Json.of(name))
                        .with("driver", Json.of(driver))
                        .with("pool", Json.of(pool))
                        .with("kind", Json.of(kind.letter()))
                        .with("index", Json.of(index));
        tree = numaNodes.isEmpty() ? tree : tree.with("numa", JsonLists.numbers(numaNodes));
        tree = pcieRoots.isEmpty() ? tree : tree.with("root", JsonLists.texts(pcieRoots));
        return tree.with("cells", Json.of(cells))
                .with("cellName", Json.of(cellName))
                .with("frame", Json.of(frame))
                .with("parts", JsonLists.integers(parts));
    }
}
