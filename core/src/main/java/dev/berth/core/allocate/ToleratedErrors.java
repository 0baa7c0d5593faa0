package dev.berth.core.allocate;

import dev.berth.core.inventory.PoolView;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/// What one attempt lets pass, and what it has let pass so far.
final class ToleratedErrors {

    private final Set<Leniency> leniencies;
    private final Set<String> tolerated = new LinkedHashSet<>();

    ToleratedErrors(Set<Leniency> leniencies) {
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

    /// Whether a pool may be ignored that has nothing to do with a request; keeps the reason.
    boolean ignores(String request, PoolView pool, String state) {
        if (!leniencies.contains(Leniency.IGNORE_UNRELATED_POOLS)) {
            return false;
        }
        tolerated.add(
                ("%s: asks for all devices, and resource pool %s, which has none of them, is"
                                + " currently %s")
                        .formatted(request, pool.id(), state));
        return true;
    }

    List<String> tolerated() {
        return List.copyOf(tolerated);
    }
}
