package dev.berth.core.allocate;

import dev.berth.core.inventory.Draw;
import java.util.BitSet;

/// The devices that draw on one counter set, and how many of them it can feed at the most.
final class CounterShare {

    private static final double ROUNDING = 1e-9;

    private final BitSet counters = new BitSet();
    private double leastDraw = Double.MAX_VALUE;
    private int devices;
    private boolean negative;

    void add(SearchState state, int pool, Draw draw) {
        devices++;
        var sum = 0.0;
        for (var i = 0; i < draw.counters().length; i++) {
            counters.set(state.counterAt(pool, draw.counters()[i]));
            sum += draw.amounts()[i];
            negative |= draw.amounts()[i] < 0;
        }
        leastDraw = Math.min(leastDraw, sum);
    }

    int most(SearchState state) {
        if (negative || leastDraw <= 0) {
            return devices;
        }
        // Sums may leave 64 bits; rounding up keeps the bound a bound.
        var left = counters.stream().mapToDouble(at -> state.trail().at(at)).sum();
        return (int) Math.min(devices, Math.floor(left / leastDraw * (1 + ROUNDING)));
    }
}
