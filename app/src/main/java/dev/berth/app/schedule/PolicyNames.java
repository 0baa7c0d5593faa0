package dev.berth.app.schedule;

import dev.berth.core.place.PlacementPolicy;
import java.util.Iterator;

/// Names of the policies of one rule, for help and completion.
public final class PolicyNames implements Iterable<String> {

    @Override
    public Iterator<String> iterator() {
        return PlacementPolicy.all().stream().map(PlacementPolicy::toString).iterator();
    }
}
