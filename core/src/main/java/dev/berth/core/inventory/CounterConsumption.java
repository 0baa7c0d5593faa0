package dev.berth.core.inventory;

import java.math.BigInteger;
import java.util.List;

/// What a device takes from the counters of its pool, by the numbers of a [CounterTable].
///
/// @param counters numbers of the counters it draws on
/// @param amounts how many units it takes of each; `Long.MAX_VALUE` for more than 64 bits can say
/// @param exact the same without a limit
/// @param sets numbers of the counter sets it draws on
/// @param groups the compatibility groups it declares for each of those sets
@SuppressWarnings("ArrayRecordComponent") // compared by identity only; read in the hot path
public record CounterConsumption(
        int[] counters, long[] amounts, BigInteger[] exact, int[] sets, List<List<String>> groups) {

    public static final CounterConsumption NOTHING =
            new CounterConsumption(
                    new int[0], new long[0], new BigInteger[0], new int[0], List.of());

    public boolean isNothing() {
        return sets.length == 0;
    }
}
