package dev.berth.app.bench.scheduling;

import com.sun.management.OperatingSystemMXBean;
import dev.berth.client.Cluster;
import dev.berth.control.schedule.SchedulerOptions;
import dev.berth.core.admission.gate.FeatureGates;
import dev.berth.model.file.TemporaryDirectory;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/// Measures workload shapes one after the other.
final class SchedulingBench {

    private static final int WARM_UP_NODES = 100;
    private static final int WARM_UP_SECONDS_EACH = 3;

    /// Parameters of the measurement.
    ///
    /// @param nodes zero for the number of the shape
    /// @param pods number of pods of a burst; zero for the number of the shape
    /// @param seconds duration of steady shapes
    /// @param rounds number of runs of a shape; only the last one counts, the others have few nodes
    /// @param keepsFailed whether objects of a failed shape stay in a remote cluster
    record Plan(
            int nodes,
            int pods,
            int seconds,
            int rounds,
            boolean keepsFailed,
            SchedulerOptions options) {

        int nodes(WorkloadShape shape) {
            return nodes == 0 ? shape.nodes() : nodes;
        }

        int pods(WorkloadShape shape) {
            return pods == 0 || shape.pods(1) == 0 ? shape.pods(nodes(shape)) : pods;
        }
    }

    private final Plan plan;
    private final Consumer<String> progress;

    SchedulingBench(Plan plan, Consumer<String> progress) {
        this.plan = plan;
        this.progress = progress;
    }

    /// Measures a shape in a new cluster in this process.
    ShapeMeasurement own(WorkloadShape shape) throws IOException, InterruptedException {
        var few = Math.min(WARM_UP_NODES, plan.nodes(shape));
        for (var round = 1; round < plan.rounds; round++) {
            ownOnce(shape, few, shape.pods(few));
        }
        return ownOnce(shape, plan.nodes(shape), plan.pods(shape));
    }

    /// Runs all shapes for a while before the measurement, so that hot code is compiled.
    void warmUp(int seconds, List<WorkloadShape> shapes) throws IOException, InterruptedException {
        var shortly =
                new SchedulingBench(
                        new Plan(WARM_UP_NODES, 0, WARM_UP_SECONDS_EACH, 1, false, plan.options),
                        progress);
        var end = System.nanoTime() + Duration.ofSeconds(seconds).toNanos();
        for (var i = 0; System.nanoTime() < end; i++) {
            var shape = shapes.get(i % shapes.size());
            shortly.ownOnce(shape, WARM_UP_NODES, shape.pods(WARM_UP_NODES));
        }
    }

    private ShapeMeasurement ownOnce(WorkloadShape shape, int nodes, int count)
            throws IOException, InterruptedException {
        var gates = FeatureGates.all();
        try (var directory = TemporaryDirectory.create("berth-bench");
                var own = BenchCluster.start(directory.path(), gates, plan.options)) {
            var scheduler = own.scheduler().orElseThrow();
            var cluster = own.cluster("berth-bench");
            var setup = new ClusterSetup(cluster, shape, nodes);
            prepare(cluster, shape, setup, nodes, gates);
            // Garbage of earlier clusters and of the set-up is not charged to the pods.
            System.gc();
            var before = scheduler.decisionTimes();
            var processBefore = processNanos();
            var compilerBefore = CompilerTime.millis();
            var threadBefore = schedulerNanos();
            var rates = load(cluster, shape, setup, count);
            var pods = Math.max(1, rates.pods());
            var decisions = scheduler.decisionTimes().since(before);
            var effort =
                    new ShapeMeasurement.Effort(
                            (processNanos() - processBefore) / 1e6 / pods,
                            (CompilerTime.millis() - compilerBefore) / pods,
                            (schedulerNanos() - threadBefore) / 1e6 / pods,
                            decisions.millis(0.5),
                            decisions.millis(0.99));
            return new ShapeMeasurement(
                    shape,
                    nodes,
                    rates,
                    Optional.of(effort),
                    ShapeMeasurement.ProcessEffort.UNKNOWN);
        }
    }

    /// Measures a shape in a remote cluster, with its own scheduler or ours.
    ShapeMeasurement other(WorkloadShape shape, Cluster cluster, MeasuredProcesses processes)
            throws InterruptedException {
        var nodes = plan.nodes(shape);
        var setup = new ClusterSetup(cluster, shape, nodes);
        clear(shape, setup);
        BindingRates rates;
        ShapeMeasurement.ProcessEffort effort;
        try (var _ = Heartbeats.start(cluster, setup.nodes())) {
            prepare(cluster, shape, setup, nodes, FeatureGates.all());
            var before = processes.read();
            rates = load(cluster, shape, setup, plan.pods(shape));
            effort = processes.read().since(before, rates.pods());
        } catch (RuntimeException e) {
            if (!plan.keepsFailed) {
                clearAfter(e, shape, setup);
            }
            throw e;
        }
        clear(shape, setup);
        return new ShapeMeasurement(shape, nodes, rates, Optional.empty(), effort);
    }

    private void clear(WorkloadShape shape, ClusterSetup setup) throws InterruptedException {
        progress.accept(shape.name() + ": clearing away");
        setup.clear();
    }

    /// Cleans up after a failure. A failure of the clean-up is added to the first one.
    private void clearAfter(RuntimeException failure, WorkloadShape shape, ClusterSetup setup)
            throws InterruptedException {
        try {
            clear(shape, setup);
        } catch (RuntimeException e) {
            failure.addSuppressed(e);
        }
    }

    private void prepare(
            Cluster cluster, WorkloadShape shape, ClusterSetup setup, int nodes, FeatureGates gates)
            throws InterruptedException {
        progress.accept("%s: making %d nodes".formatted(shape.name(), nodes));
        setup.set();
        var held = shape.held().apply(nodes);
        progress.accept("%s: holding %d claims".formatted(shape.name(), held));
        new PreallocatedClaims(setup, gates).fill(cluster, held);
    }

    private BindingRates load(Cluster cluster, WorkloadShape shape, ClusterSetup setup, int count)
            throws InterruptedException {
        var scheduler = plan.options.profiles().getFirst().schedulerName();
        try (var load = new PodLoad(cluster, new BenchPods(shape, setup, scheduler))) {
            load.prepare(count);
            progress.accept("%s: pods on %d nodes".formatted(shape.name(), setup.nodes().size()));
            return switch (shape.mode()) {
                case WorkloadShape.Mode.Burst _ -> {
                    var times = load.burst(count);
                    yield BindingRates.of(times, times.isEmpty() ? 0 : times.getLast());
                }
                case WorkloadShape.Mode.Steady _ -> {
                    var time = Duration.ofSeconds(plan.seconds);
                    yield BindingRates.of(load.steady(time), time.toNanos());
                }
            };
        }
    }

    private static long processNanos() {
        return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime();
    }

    private static long schedulerNanos() {
        var threads = ManagementFactory.getThreadMXBean();
        return Arrays.stream(threads.getThreadInfo(threads.getAllThreadIds()))
                .filter(thread -> thread != null && thread.getThreadName().equals("scheduler"))
                .mapToLong(thread -> threads.getThreadCpuTime(thread.getThreadId()))
                .sum();
    }
}
