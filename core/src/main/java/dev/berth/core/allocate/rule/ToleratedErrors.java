package dev.berth.core.allocate.rule;

import dev.berth.core.inventory.PoolView;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/// Decides which errors one allocation attempt tolerates and collects their messages.
public final class ToleratedErrors {

    private final Set<Leniency> leniencies;
    private final Set<String> tolerated = new LinkedHashSet<>();

    public ToleratedErrors(Set<Leniency> leniencies) {
        this.leniencies = leniencies;
    }

    /// Whether to skip a device on which an expression fails; records the error if so.
    public boolean tolerates(String fault) {
        if (!leniencies.contains(Leniency.TOLERATE_SELECTOR_ERRORS)) {
            return false;
        }
        tolerated.add(fault);
        return true;
    }

    /// Whether to ignore an incomplete or invalid pool that is unrelated to a request; records it
    /// if so.
    public boolean ignoresPool(String request, PoolView pool, String state) {
        if (!leniencies.contains(Leniency.IGNORE_UNRELATED_POOLS)) {
            return false;
        }
        tolerated.add(
                ("%s: asks for all devices, and resource pool %s, which has none of them, is"
                                + " currently %s")
                        .formatted(request, pool.id(), state));
        return true;
    }

    public List<String> tolerated() {
        return List.copyOf(tolerated);
    }
}
