package dev.berth.core.cel.eval;

import dev.berth.core.cel.DeviceView;
import org.jspecify.annotations.Nullable;

/// The state of one evaluation: the device, the local variables and what was spent so far.
final class EvaluationFrame {

    /// What one evaluation may cost.
    static final long COST_LIMIT = 1_000_000;

    /// Copying that the cost model prices too low is cut off here, in the same units: it keeps
    /// strings that double at every step from filling the memory.
    static final long EFFORT_LIMIT = 4 * COST_LIMIT;

    private static final @Nullable Object[] NO_SLOTS = {};

    final DeviceView device;
    private final @Nullable Object[] slots;
    private long cost;
    private long effort;

    EvaluationFrame(DeviceView device, int slotCount) {
        this.device = device;
        this.slots = slotCount == 0 ? NO_SLOTS : new @Nullable Object[slotCount];
    }

    long cost() {
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

    /// Adds work that has no price, or too low a one.
    void exert(long units) {
        effort += units;
        if (effort > EFFORT_LIMIT) {
            cost = COST_LIMIT + 1;
            throw new CostLimitExceeded();
        }
    }

    /// The value in a slot, or null when nothing was put there yet.
    @Nullable Object slot(int index) {
        return slots[index];
    }

    void put(int index, @Nullable Object value) {
        slots[index] = value;
    }
}
