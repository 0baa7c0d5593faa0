package dev.berth.core.inventory;

import java.math.BigInteger;
import java.util.List;

/// The counters that a device consumes while allocated, by the numbers of a [CounterTable].
///
/// @param counters numbers of the consumed counters
/// @param amounts consumed units of each counter; `Long.MAX_VALUE` for amounts beyond 64 bits
/// @param exactAmounts the same amounts without a limit
/// @param sets numbers of the consumed counter sets
/// @param groups compatibility groups of the device for each of these sets
@SuppressWarnings("ArrayRecordComponent") // compared by identity only; read in the hot path
public record CounterConsumption(
        int[] counters,
        long[] amounts,
        BigInteger[] exactAmounts,
        int[] sets,
        List<List<String>> groups) {

    public static final CounterConsumption NONE =
            new CounterConsumption(
                    new int[0], new long[0], new BigInteger[0], new int[0], List.of());

    public boolean isEmpty() {
        return sets.length == 0;
    }
}
