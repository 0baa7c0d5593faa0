package dev.berth.control.simulation;

import java.util.List;
import java.util.SplittableRandom;

/// The random numbers of a simulation, determined by a seed.
final class SimulationRandom {

    private final SplittableRandom random;

    SimulationRandom(long seed) {
        this.random = new SplittableRandom(seed);
    }

    int nextInt(int bound) {
        return random.nextInt(bound);
    }

    int between(int least, int most) {
        return random.nextInt(least, most + 1);
    }

    /// Never for 0.
    boolean oneIn(int number) {
        return number > 0 && random.nextInt(number) == 0;
    }

    <T> T pick(List<T> from) {
        return from.get(random.nextInt(from.size()));
    }

    long number() {
        return random.nextLong();
    }

    String uuid() {
        return "%08x-%04x-4%03x-8%03x-%012x"
                .formatted(
                        random.nextInt(),
                        random.nextInt(1 << 16),
                        random.nextInt(1 << 12),
                        random.nextInt(1 << 12),
                        random.nextLong(1L << 48));
    }
}
