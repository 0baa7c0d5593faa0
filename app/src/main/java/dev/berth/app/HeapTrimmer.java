package dev.berth.app;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;

/// Requests a full collection when the old generation has grown by a share of what survived the
/// last one, so that a process takes memory in proportion to its live objects.
///
/// The serial and the parallel collector let the old generation grow up to the limit of the heap
/// before they collect it: a scheduler with 75 MB of live objects then takes whatever the limit
/// allows, nearly all of it garbage. A limit close to the live objects would end the process when
/// its cluster grows. With this the limit can be high. A growth of half costs marking two bytes of
/// live objects for each byte that is promoted, about one percent of the time of a busy scheduler.
final class HeapTrimmer {

    /// System property with the permitted growth in percent, set by the launcher; without it
    /// nothing is trimmed.
    static final String PROPERTY = "berth.heap-growth-percent";

    /// Old generation below which no collection is requested.
    private static final long FLOOR_BYTES = 48L << 20;

    private static final Duration INTERVAL = Duration.ofSeconds(1);
    private static final int PERCENT = 100;

    private final LongSupplier usedBytes;
    private final Runnable collection;
    private final int growthPercent;
    private long limitBytes = FLOOR_BYTES;

    /// @param usedBytes how much of the old generation is in use
    /// @param collection collects all of the heap before it returns
    HeapTrimmer(LongSupplier usedBytes, Runnable collection, int growthPercent) {
        this.usedBytes = usedBytes;
        this.collection = collection;
        this.growthPercent = growthPercent;
    }

    /// Starts the trimmer of this process if the property is set.
    static void startIfAsked() {
        var growthPercent = Integer.getInteger(PROPERTY, 0);
        if (growthPercent > 0) {
            Thread.ofPlatform().name("heap-trimmer").daemon().start(() -> run(growthPercent));
        }
    }

    private static void run(int growthPercent) {
        try {
            // A process that ends at once need not load the management classes.
            Thread.sleep(INTERVAL);
            var old = oldGeneration();
            if (old.isEmpty()) {
                return;
            }
            var trimmer =
                    new HeapTrimmer(
                            () -> old.get().getUsage().getUsed(), System::gc, growthPercent);
            while (true) {
                trimmer.step();
                Thread.sleep(INTERVAL);
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    /// Only pools of old objects have a threshold.
    private static Optional<MemoryPoolMXBean> oldGeneration() {
        return ManagementFactory.getMemoryPoolMXBeans().stream()
                .filter(pool -> pool.getType() == MemoryType.HEAP)
                .filter(MemoryPoolMXBean::isUsageThresholdSupported)
                .findFirst();
    }

    /// Collects if the old generation has grown too far.
    void step() {
        if (usedBytes.getAsLong() > limitBytes) {
            collection.run();
            var live = usedBytes.getAsLong();
            limitBytes = Math.max(FLOOR_BYTES, live + live / PERCENT * growthPercent);
        }
    }
}
