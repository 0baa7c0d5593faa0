package dev.berth.model.api;

import dev.berth.model.quantity.Quantity;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// What storage is asked for.
///
/// @param storageClassName the default class when absent, no class when empty
/// @param volumeName the volume that the claim is bound to; empty when it has none yet
/// @param selector which volumes will do, by label; all when absent
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
