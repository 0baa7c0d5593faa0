package dev.berth.control.schedule;

import dev.berth.core.allocate.AllocatorStatistics;
import dev.berth.metrics.CallbackMetric;
import dev.berth.metrics.MetricsRegistry;
import java.util.List;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;

/// Metrics of device allocation: searches, steps, and dead ends that were proven.
final class AllocatorMetrics {

    private final CallbackMetric searches;
    private final CallbackMetric steps;
    private final CallbackMetric proofs;
    private final CallbackMetric undecided;

    AllocatorMetrics(MetricsRegistry registry) {
        this.searches =
                registry.callbackCounter(
                        "berth_allocator_searches_total",
                        "Device allocations on a node, by kind: single_device (no search needed),"
                                + " cached (result of an equal node) or search.",
                        "kind");
        this.steps =
                registry.callbackCounter(
                        "berth_allocator_search_steps_total", "Steps of all device searches.");
        this.proofs =
                registry.callbackCounter(
                        "berth_allocator_proofs_total",
                        "Proofs that devices do not suffice, by scope: request (ended a search"
                                + " before its first step) or branch (ended a part of it).",
                        "scope");
        this.undecided =
                registry.callbackCounter(
                        "berth_allocator_undecided_total",
                        "Device searches that reached the step limit.");
    }

    /// Reads the counters of allocators until the results are closed.
    List<CallbackMetric.Registration> observe(Supplier<List<AllocatorStatistics>> allocators) {
        return List.of(
                searches.addSource(sink -> {
                    var all = allocators.get();
                    sink.add(sum(all, AllocatorStatistics::singleDevice), "single_device");
                    sink.add(sum(all, AllocatorStatistics::cached), "cached");
                    sink.add(sum(all, AllocatorStatistics::searches), "search");
                }),
                steps.addSource(() -> sum(allocators.get(), AllocatorStatistics::steps)),
                proofs.addSource(sink -> {
                    var all = allocators.get();
                    sink.add(sum(all, AllocatorStatistics::impossible), "request");
                    sink.add(sum(all, AllocatorStatistics::deadEnds), "branch");
                }),
                undecided.addSource(() -> sum(allocators.get(), AllocatorStatistics::undecided)));
    }

    private static double sum(
            List<AllocatorStatistics> all, ToLongFunction<AllocatorStatistics> counter) {
        return (double) all.stream().mapToLong(counter).sum();
    }
}
