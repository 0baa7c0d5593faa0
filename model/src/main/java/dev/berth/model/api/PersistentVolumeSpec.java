package dev.berth.model.api;

import dev.berth.model.quantity.Quantity;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Storage that is there.
///
/// @param claim who it belongs to or is kept for
/// @param nodes from which it can be reached; from all when absent
public record PersistentVolumeSpec(
        Map<String, Quantity> capacity,
        List<String> accessModes,
        Optional<VolumeClaimRef> claim,
        String storageClassName,
        String volumeMode,
        Optional<NodeSelector> nodes) {

    public PersistentVolumeSpec {
        capacity = OrderedMap.copyOf(capacity);
        accessModes = List.copyOf(accessModes);
    }
}
