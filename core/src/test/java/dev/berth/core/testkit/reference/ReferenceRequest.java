package dev.berth.core.testkit.reference;

import java.util.List;

/// A request with its alternatives; exactly one without `firstAvailable`.
record ReferenceRequest(String name, boolean isChoice, List<ReferenceDemand> alternatives) {

    ReferenceRequest {
        alternatives = List.copyOf(alternatives);
    }

    long fewestDevices() {
        return alternatives.stream().mapToLong(ReferenceDemand::count).min().orElseThrow();
    }
}
