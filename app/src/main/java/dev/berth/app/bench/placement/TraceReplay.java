package dev.berth.app.bench.placement;

import dev.berth.app.bench.ProcessUsage;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.PriorityQueue;
import java.util.function.IntConsumer;

/// Replays the arrivals of a trace in a cluster. A pod that cannot be placed at its arrival is
/// dropped.
final class TraceReplay {

    private static final int PERCENT = 100;
    private static final int DEVICES_PER_ROOT_INDEX = 2;

    /// A placed pod that leaves at a time.
    private record Departure(double seconds, int number, Arrival arrival) {}

    private final ArrivalTrace trace;
    private final ReplayTarget target;
    private final Map<Integer, double[]> sums = new HashMap<>();
    private final PriorityQueue<Departure> departures =
            new PriorityQueue<>((a, b) ->
                    a.seconds != b.seconds
                            ? Double.compare(a.seconds, b.seconds)
                            : Integer.compare(a.number, b.number));
    private long placed;
    private long allocated;
    private long demand;
    private long counted;
    private long accepted;
    private long measured;
    private long aligned;

    TraceReplay(ArrivalTrace trace, ReplayTarget target) {
        this.trace = trace;
        this.target = target;
    }

    /// @param progress is called with the number of arrivals so far
    ReplayResult run(String policy, IntConsumer progress) throws IOException, InterruptedException {
        var process = ProcessUsage.ofPid(ProcessHandle.current().pid());
        var before = process.cpuSeconds();
        for (var number = 0; number < trace.arrivals().size(); number++) {
            arrive(number, trace.arrivals().get(number));
            progress.accept(number + 1);
        }
        var after = process.cpuSeconds();
        var used =
                before.isPresent() && after.isPresent()
                        ? OptionalDouble.of(after.getAsDouble() - before.getAsDouble())
                        : OptionalDouble.empty();
        return new ReplayResult(
                trace,
                policy,
                curve(),
                placed,
                trace.kind() == ArrivalTrace.Kind.ALLOCATION
                        ? OptionalDouble.empty()
                        : percent(accepted, counted),
                trace.kind() == ArrivalTrace.Kind.ALIGNMENT
                        ? percent(aligned, measured)
                        : OptionalDouble.empty(),
                used,
                process.residentMegabytes());
    }

    private void arrive(int number, Arrival arrival) throws IOException, InterruptedException {
        while (!departures.isEmpty() && departures.peek().seconds <= arrival.seconds()) {
            target.leave(departures.remove().arrival);
        }
        var result = target.arrive(arrival);
        demand += arrival.amount();
        if (result.isPresent()) {
            placed++;
            allocated += arrival.amount();
            if (arrival.lifetime().isPresent()) {
                var end = arrival.seconds() + arrival.lifetime().getAsDouble();
                departures.add(new Departure(end, number, arrival));
            }
        }
        if (trace.kind() == ArrivalTrace.Kind.ALLOCATION) {
            var at = (int) Math.round((double) demand * PERCENT / trace.capacity());
            var sum = sums.computeIfAbsent(at, _ -> new double[2]);
            sum[0] += (double) allocated * PERCENT / trace.capacity();
            sum[1]++;
        }
        if (number >= trace.firstCounted()) {
            counted++;
            accepted += result.isPresent() ? 1 : 0;
            if (result.isPresent() && arrival.fewestRoots() > 0) {
                measured++;
                aligned += roots(result.get()) == arrival.fewestRoots() ? 1 : 0;
            }
        }
    }

    /// The number of PCIe roots of the devices: their names end with an index, and each root has
    /// two devices of a kind.
    private static int roots(ReplayTarget.Placed placed) {
        var roots = new HashSet<Integer>();
        for (var device : placed.devices()) {
            var name = device.device();
            roots.add(
                    Integer.parseInt(name.substring(name.lastIndexOf('-') + 1))
                            / DEVICES_PER_ROOT_INDEX);
        }
        return roots.size();
    }

    /// The mean over the arrivals that round to the same demand.
    private List<OptionalDouble> curve() {
        var last = sums.keySet().stream().mapToInt(Integer::intValue).max().orElse(-1);
        var means = new OptionalDouble[last + 1];
        Arrays.fill(means, OptionalDouble.empty());
        sums.forEach((at, sum) -> means[at] = OptionalDouble.of(sum[0] / sum[1]));
        return List.of(means);
    }

    private static OptionalDouble percent(long part, long all) {
        return all == 0 ? OptionalDouble.empty() : OptionalDouble.of(100.0 * part / all);
    }
}
