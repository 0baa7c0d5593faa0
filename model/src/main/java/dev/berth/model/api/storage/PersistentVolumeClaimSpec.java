package dev.berth.model.api.storage;

import dev.berth.model.api.meta.OrderedMap;
import dev.berth.model.api.selector.LabelSelector;
import dev.berth.model.quantity.Quantity;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Spec of a PersistentVolumeClaim.
///
/// @param storageClassName the default class when absent, no class when empty
/// @param volumeName the bound volume; empty for an unbound claim
/// @param selector label selector of volumes; all volumes match when absent
public record PersistentVolumeClaimSpec(
        List<String> accessModes,
        Map<String, Quantity> requests,
        Optional<LabelSelector> selector,
        Optional<String> storageClassName,
        String volumeName,
        String volumeMode) {

    public PersistentVolumeClaimSpec {
        accessModes = List.copyOf(accessModes);
        requests = OrderedMap.copyOf(requests);
    }
}
