package dev.berth.core.testkit.random;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/// Random choices, deterministic for a seed.
final class SeededRandom {

    private final Random random;

    SeededRandom(long seed) {
        // Consecutive small seeds would give similar first values, so they are mixed.
        this.random = new Random(seed * 0x9E3779B97F4A7C15L);
    }

    boolean chance(int percent) {
        return random.nextInt(100) < percent;
    }

    int between(int least, int most) {
        return least + random.nextInt(most - least + 1);
    }

    @SafeVarargs
    @SuppressWarnings("varargs")
    final <T> T pick(T... values) {
        return values[random.nextInt(values.length)];
    }

    <T> T pick(List<T> values) {
        return values.get(random.nextInt(values.size()));
    }

    <T> Optional<T> maybe(int percent, T value) {
        return chance(percent) ? Optional.of(value) : Optional.empty();
    }

    /// Each value with the given probability, in order.
    <T> List<T> some(int percent, List<T> values) {
        return values.stream().filter(_ -> chance(percent)).toList();
    }

    <T> List<T> shuffled(List<T> values) {
        var copy = new ArrayList<>(values);
        Collections.shuffle(copy, random);
        return copy;
    }
}
