package dev.berth.testkit.twin;

import dev.berth.model.quantity.Quantity;
import java.util.Map;
import java.util.Optional;

/// A device that the search has given to a request.
///
/// @param claim the position of the claim
/// @param chargesCounters false for a further share of a device that has paid already
/// @param shareId present when others may share the device
record Placement(
        int claim,
        Demand demand,
        Candidate candidate,
        boolean chargesCounters,
        Optional<String> shareId,
        Map<String, Quantity> consumed) {

    boolean isShared() {
        return shareId.isPresent();
    }
}
