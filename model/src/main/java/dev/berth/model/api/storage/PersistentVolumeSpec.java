package dev.berth.model.api.storage;

import dev.berth.model.api.meta.OrderedMap;
import dev.berth.model.api.selector.NodeSelector;
import dev.berth.model.quantity.Quantity;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Spec of a PersistentVolume.
///
/// @param claim the claim to which the volume is bound or pre-bound
/// @param nodes nodes that can access the volume; all when absent
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
