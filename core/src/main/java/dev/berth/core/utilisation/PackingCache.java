package dev.berth.core.utilisation;

import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;

/// Cache of [PartitionPacking] solutions: equal GPUs with equal remaining counters are searched
/// once. Not thread-safe.
final class PackingCache {

    private static final int MAX_SOLUTIONS = 50_000;

    private record Key(
            CounterComponent component, BitSet candidates, CounterComponent.Remaining remaining) {}

    private final Map<Key, PartitionPacking.Solution> solutions = new HashMap<>();

    PartitionPacking.Solution solution(
            CounterComponent component, BitSet candidates, CounterComponent.Remaining remaining) {
        if (solutions.size() >= MAX_SOLUTIONS) {
            solutions.clear();
        }
        return solutions.computeIfAbsent(
                new Key(component, candidates, remaining),
                key -> PartitionPacking.of(key.component, key.candidates, key.remaining));
    }
}
