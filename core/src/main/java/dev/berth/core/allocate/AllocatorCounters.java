package dev.berth.core.allocate;

import dev.berth.core.allocate.search.DeviceSearch;
import java.util.concurrent.atomic.LongAdder;

/// Counts the work of an allocator. Thread-safe.
final class AllocatorCounters {

    private final LongAdder singleDevice = new LongAdder();
    private final LongAdder cached = new LongAdder();
    private final LongAdder searches = new LongAdder();
    private final LongAdder steps = new LongAdder();
    private final LongAdder impossible = new LongAdder();
    private final LongAdder deadEnds = new LongAdder();
    private final LongAdder undecided = new LongAdder();

    void singleDevice() {
        singleDevice.increment();
    }

    void cached() {
        cached.increment();
    }

    void searched(DeviceSearch search, DeviceSearch.Outcome outcome) {
        searches.increment();
        steps.add(search.steps());
        if (search.steps() == 0 && search.proofs() > 0) {
            impossible.increment();
        } else {
            deadEnds.add(search.proofs());
        }
        if (outcome instanceof DeviceSearch.Outcome.OutOfBudget) {
            undecided.increment();
        }
    }

    AllocatorStatistics statistics() {
        return new AllocatorStatistics(
                singleDevice.sum(),
                cached.sum(),
                searches.sum(),
                steps.sum(),
                impossible.sum(),
                deadEnds.sum(),
                undecided.sum());
    }
}
