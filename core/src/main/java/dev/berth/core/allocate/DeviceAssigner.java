package dev.berth.core.allocate;

/// Takes one device for one option, if everything that is taken already leaves room for it.
final class DeviceAssigner {

    /// What came of it.
    enum Result {
        PLACED,
        REFUSED,
        /// A constraint refused it.
        CONSTRAINED,
        /// A constraint compares a value that could not be computed.
        FAULTY
    }

    private final NodeDevices arena;
    private final SearchState state;

    DeviceAssigner(NodeDevices arena, SearchState state) {
        this.arena = arena;
        this.state = state;
    }

    /// Whether the device is taken already, by others or in this attempt.
    boolean isInUse(RequestOption option, int device) {
        return option.admin()
                ? state.isMarkedBy(option.claim(), device)
                : BitSets.has(state.held(), device) || state.isMarked(device);
    }

    /// Takes the device. When it is refused nothing has changed, but for what the caller undoes.
    Result place(RequestOption option, int device) {
        if (isInUse(option, device)) {
            return Result.REFUSED;
        }
        // Counters are charged once a device, not once a share.
        var shareable = arena.isShareable(device);
        if (!(shareable && state.isShared(device))) {
            if (!state.admits(device)) {
                return Result.REFUSED;
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
            constraint.join(trail, values);
        }
        if (!hasRoom(option, device) || BitSets.has(option.spent(), device)) {
            return Result.REFUSED;
        }
        if (shareable) {
            consume(option, device);
            state.share(device);
        } else {
            state.mark(option.claim(), device);
        }
        return Result.PLACED;
    }

    /// Whether what is left of a shareable device's capacities is enough.
    boolean hasRoom(RequestOption option, int device) {
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

    /// Whether the device could be taken now, all but constraints considered.
    boolean isFree(RequestOption option, int device) {
        return hasRoom(option, device)
                && ((state.isShared(device) && arena.isShareable(device)) || state.admits(device));
    }
}
