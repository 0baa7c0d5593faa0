package dev.berth.core.testkit.reference;

import dev.berth.model.quantity.Quantity;
import java.util.Map;
import java.util.Optional;

/// A device assigned to a request.
///
/// @param claim the position of the claim
/// @param chargesCounters false for a further share of a device whose counters are already charged
/// @param shareId present for shareable devices
record ReferencePlacement(
        int claim,
        ReferenceDemand demand,
        ReferenceCandidate candidate,
        boolean chargesCounters,
        Optional<String> shareId,
        Map<String, Quantity> consumed) {

    boolean isShared() {
        return shareId.isPresent();
    }
}
