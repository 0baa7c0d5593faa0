package dev.berth.core.testkit.reference;

import dev.berth.core.ledger.Holdings;
import dev.berth.model.api.slice.DeviceCounterConsumption;
import dev.berth.model.api.slice.DeviceId;
import dev.berth.model.quantity.Quantity;
import java.util.ArrayList;
import java.util.List;

/// Checks the counters and compatibility groups of a pool for an additional device.
final class ReferenceCounters {

    private final Holdings holdings;

    ReferenceCounters(Holdings holdings) {
        this.holdings = holdings;
    }

    /// Every counter of the pool must suffice, even those that the device does not consume.
    boolean suffice(ReferenceCandidate candidate, ReferenceState state) {
        var pool = candidate.pool();
        var users = new ArrayList<>(heldUsers(pool));
        users.addAll(state.charged(pool.id()));
        users.add(candidate);
        for (var set : pool.counterSets().values()) {
            for (var counter : set.counters().entrySet()) {
                var drawn = Quantity.ZERO;
                for (var user : users) {
                    for (var consumption : user.device().consumesCounters()) {
                        if (consumption.counterSet().equals(set.name())) {
                            drawn = drawn.plus(drawn(consumption, counter.getKey()));
                        }
                    }
                }
                if (drawn.compareTo(counter.getValue()) > 0) {
                    return false;
                }
            }
        }
        return true;
    }

    private static Quantity drawn(DeviceCounterConsumption consumption, String counter) {
        return consumption.counters().getOrDefault(counter, Quantity.ZERO);
    }

    /// Whether the compatibility groups of the device agree with all other consumers of its counter
    /// sets.
    boolean agree(ReferenceCandidate candidate, ReferenceState state) {
        var pool = candidate.pool();
        var users = new ArrayList<>(heldUsers(pool));
        users.addAll(state.charged(pool.id()));
        var own = candidate.device().consumesCounters();
        for (var i = 0; i < own.size(); i++) {
            var set = own.get(i).counterSet();
            var sharers = CounterSharers.EMPTY;
            for (var user : users) {
                sharers = sharers.withAll(set, user.device().consumesCounters());
            }
            sharers = sharers.withAll(set, own.subList(0, i));
            if (!sharers.admits(own.get(i).compatibilityGroups())) {
                return false;
            }
        }
        return true;
    }

    private List<ReferenceCandidate> heldUsers(ReferencePool pool) {
        return pool.counterUsers().stream().filter(one -> isHeld(one.id())).toList();
    }

    private boolean isHeld(DeviceId device) {
        return holdings.exclusive().contains(device) || isSharedOut(device);
    }

    boolean isSharedOut(DeviceId device) {
        return holdings.consumed().containsKey(device)
                || holdings.shares().stream().anyMatch(share -> share.device().equals(device));
    }
}
