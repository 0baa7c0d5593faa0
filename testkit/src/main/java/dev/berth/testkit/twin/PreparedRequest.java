package dev.berth.testkit.twin;

import java.util.List;

/// A request with its alternatives; one that has no choice has exactly one.
record PreparedRequest(String name, boolean isChoice, List<Demand> alternatives) {

    PreparedRequest {
        alternatives = List.copyOf(alternatives);
    }

    long fewestDevices() {
        return alternatives.stream().mapToLong(Demand::count).min().orElseThrow();
    }
}
