package dev.berth.core.allocate.state;

/// Assigns one device to one option if the current search state permits it.
public final class DeviceAssigner {

    /// The result of an assignment.
    public enum Result {
        ASSIGNED,
        REJECTED,
        /// A constraint rejected the device.
        CONSTRAINED,
        /// A constraint compares a derived attribute that failed.
        FAULTY
    }

    private final NodeDevices nodeDevices;
    private final SearchState state;

    public DeviceAssigner(NodeDevices nodeDevices, SearchState state) {
        this.nodeDevices = nodeDevices;
        this.state = state;
    }

    /// Whether the device is already allocated, or assigned in this search.
    public boolean isInUse(RequestOption option, int device) {
        return option.admin()
                ? state.isMarkedBy(option.claim(), device)
                : BitSets.has(state.held(), device) || state.isMarked(device);
    }

    /// Assigns the device. After a rejection the caller restores the state with
    /// [SearchTrail#undoTo].
    public Result assign(RequestOption option, int device) {
        if (isInUse(option, device)) {
            return Result.REJECTED;
        }
        // Counters are charged once per device, not once per share.
        var shareable = nodeDevices.isShareable(device);
        if (!(shareable && state.isShared(device))) {
            if (!state.admits(device)) {
                return Result.REJECTED;
            }
            state.charge(device);
        }
        var trail = state.trail();
        for (var i = 0; i < option.constraints().size(); i++) {
            var constraint = option.constraints().get(i);
            var values = option.values(i, device);
            if (!constraint.admits(trail, values)) {
                return ConstraintValues.isFaulty(values) ? Result.FAULTY : Result.CONSTRAINED;
            }
            constraint.add(trail, values);
        }
        if (!hasCapacity(option, device) || BitSets.has(option.exhausted(), device)) {
            return Result.REJECTED;
        }
        if (shareable) {
            consume(option, device);
            state.share(device);
        } else {
            state.mark(option.claim(), device);
        }
        return Result.ASSIGNED;
    }

    /// Whether the remaining capacity of a shareable device is sufficient.
    public boolean hasCapacity(RequestOption option, int device) {
        var needs = option.needs()[device];
        var at = state.capacityAt(device);
        for (var column = 0; column < needs.length; column++) {
            if (state.trail().at(at + column) < needs[column]) {
                return false;
            }
        }
        return true;
    }

    private void consume(RequestOption option, int device) {
        var needs = option.needs()[device];
        var at = state.capacityAt(device);
        for (var column = 0; column < needs.length; column++) {
            state.trail().set(at + column, state.trail().at(at + column) - needs[column]);
        }
    }

    /// Whether the device is available now, constraints not considered.
    public boolean isAvailable(RequestOption option, int device) {
        return hasCapacity(option, device)
                && ((state.isShared(device) && nodeDevices.isShareable(device))
                        || state.admits(device));
    }
}
