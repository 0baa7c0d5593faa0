package dev.berth.core.cel.node;

import dev.berth.core.cel.DeviceView;
import org.jspecify.annotations.Nullable;

/// The state of one evaluation: the device, the local variables and the accumulated cost.
public final class EvaluationFrame {

    /// Maximum cost of one evaluation.
    static final long COST_LIMIT = 1_000_000;

    /// Bound on copying that the cost model undercharges, in the same units. It keeps strings that
    /// double at every step from exhausting memory.
    static final long UNCHARGED_WORK_LIMIT = 4 * COST_LIMIT;

    private static final @Nullable Object[] NO_SLOTS = {};

    final DeviceView device;
    private final @Nullable Object[] slots;
    private long cost;
    private long unchargedWork;

    public EvaluationFrame(DeviceView device, int slotCount) {
        this.device = device;
        this.slots = slotCount == 0 ? NO_SLOTS : new @Nullable Object[slotCount];
    }

    public long cost() {
        return cost;
    }

    /// Adds the cost of one step.
    void charge(long units) {
        cost += units;
        if (cost > COST_LIMIT) {
            throw new CostLimitExceeded();
        }
    }

    /// Adds the cost of several steps of one unit each.
    void chargeSteps(int steps) {
        cost += steps;
        if (cost > COST_LIMIT) {
            cost = COST_LIMIT + 1;
            throw new CostLimitExceeded();
        }
    }

    /// Adds work that the cost model does not charge, or undercharges.
    void addUnchargedWork(long units) {
        unchargedWork += units;
        if (unchargedWork > UNCHARGED_WORK_LIMIT) {
            cost = COST_LIMIT + 1;
            throw new CostLimitExceeded();
        }
    }

    /// The value of a slot, or null when it is not set yet.
    @Nullable Object slot(int index) {
        return slots[index];
    }

    public void put(int index, @Nullable Object value) {
        slots[index] = value;
    }
}
