package dev.berth.core.allocate.bound;

import dev.berth.core.allocate.state.RequestOption;
import dev.berth.core.allocate.state.SearchRequest;
import java.util.Arrays;

/// Detects interchangeable consecutive requests. For these the search tries only assignments in
/// which the first request gets the earlier device.
public final class InterchangeableRequests {

    private InterchangeableRequests() {}

    public static boolean of(SearchRequest a, SearchRequest b) {
        if (a.claim() != b.claim() || a.prioritized() || b.prioritized()) {
            return false;
        }
        var first = a.options().getFirst();
        var second = b.options().getFirst();
        return isOneDevice(first)
                && isOneDevice(second)
                && first.admin() == second.admin()
                && Arrays.equals(first.candidates(), second.candidates())
                && Arrays.deepEquals(first.needs(), second.needs())
                && first.constraints().equals(second.constraints())
                && haveSameValues(first, second);
    }

    private static boolean isOneDevice(RequestOption option) {
        return option.count() == 1 && !option.all();
    }

    @SuppressWarnings("ReferenceEquality") // options share the array unless they compute values
    static boolean haveSameValues(RequestOption a, RequestOption b) {
        for (var i = 0; i < a.values().size(); i++) {
            if (a.values().get(i) != b.values().get(i)) {
                return false;
            }
        }
        return true;
    }
}
