package dev.berth.core.place.pack;

import dev.berth.model.api.claim.DeviceDemand;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/// The devices and the amounts of their capacity that one request of a claim consumes.
///
/// @param amounts requested thousandths of each capacity; empty for whole devices
record RequestedShare(RequestKind kind, SortedMap<String, Long> amounts) {

    RequestedShare {
        amounts = Collections.unmodifiableSortedMap(new TreeMap<>(amounts));
    }

    static RequestedShare of(DeviceDemand demand) {
        var amounts = new TreeMap<String, Long>();
        demand.capacity()
                .ifPresent(capacity ->
                        capacity.requests()
                                .forEach((name, amount) ->
                                        amounts.put(name, amount.milliRoundedUp())));
        return new RequestedShare(
                new RequestKind(demand.deviceClassName(), demand.selectors()), amounts);
    }
}
