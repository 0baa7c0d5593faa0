package dev.berth.bench;

import dev.berth.core.allocate.AllocationOutcome;
import dev.berth.core.allocate.Allocator;
import dev.berth.core.allocate.DeviceOrder;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/// Time of one of [HardAllocations], from slices and claims to the result; only compiled
/// expressions and their results are cached between runs.
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 4, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Fork(1)
@State(Scope.Benchmark)
public class AllocatorBenchmark {

    @Param({
        "A/8",
        "A/16",
        "B/8",
        "B/16",
        "D/8",
        "D/16",
        "E/8",
        "E/16",
        "F/26",
        "F/31",
        "G/20",
        "G/31",
        "G2/8",
        "G2/16",
        "H/10",
        "H/15",
        "I/6",
        "I/12",
        "J/8",
        "J/16",
        "K/5",
        "K/10",
        "L/8",
        "L/16",
        "M/8",
        "M/16",
        "N/7",
        "N/14",
        "corner/2",
        "corner/4",
        "corner/8",
        "crowded/2",
        "crowded/4",
        "crowded/8",
        "full/2",
        "full/4",
        "full/8",
        "odd/2",
        "odd/4",
        "odd/8",
        "pairs/2",
        "pairs/4",
        "pairs/8",
        "rising/2",
        "rising/4",
        "rising/8",
        "claims/8",
        "claims/16",
        "together/8",
        "together/16",
        "nested/3",
        "nested/6",
        "nested+1/3",
        "nested+1/6",
        "bins/7",
        "bins/14",
        "pigeons/15",
        "pigeons/31",
        "spoiled/8",
        "spoiled/16",
        "lists/16",
        "lists/32"
    })
    private String request = "A/8";

    private final Allocator allocator = new Allocator(Allocator.DEFAULT_BUDGET);
    private HardAllocations.Hard hard = HardAllocations.named("A/8");

    /// Prints the number of search steps, which time alone does not show.
    @Setup
    public void prepare() {
        hard = HardAllocations.named(request);
        System.out.println(request + ": " + outcome().steps() + " steps");
    }

    /// Allocates; fails if the result is undecided.
    @Benchmark
    public AllocationOutcome outcome() {
        var outcome =
                allocator
                        .allocate(hard.request().toNodeRequest(DeviceOrder.FIRST), () -> "share")
                        .outcome();
        if (outcome instanceof AllocationOutcome.Undecided) {
            throw new IllegalStateException(hard + " is undecided after " + outcome.steps());
        }
        return outcome;
    }
}
