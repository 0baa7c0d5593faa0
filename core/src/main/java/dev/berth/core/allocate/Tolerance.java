package dev.berth.core.allocate;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/// What one attempt lets pass, and what it has let pass so far.
final class Tolerance {

    private final Set<Leniency> leniencies;
    private final Set<String> tolerated = new LinkedHashSet<>();

    Tolerance(Set<Leniency> leniencies) {
        this.leniencies = leniencies;
    }

    /// Whether a device may be left out because an expression fails on it; keeps the reason.
    boolean passesOver(String fault) {
        if (!leniencies.contains(Leniency.TOLERATE_SELECTOR_ERRORS)) {
            return false;
        }
        tolerated.add(fault);
        return true;
    }

    /// Whether pools may be ignored that have nothing to do with a request.
    boolean ignoresUnrelatedPools() {
        return leniencies.contains(Leniency.IGNORE_UNRELATED_POOLS);
    }

    List<String> tolerated() {
        return List.copyOf(tolerated);
    }
}
