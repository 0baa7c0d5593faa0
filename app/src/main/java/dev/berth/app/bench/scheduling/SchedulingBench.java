package dev.berth.app.bench.scheduling;

import com.sun.management.OperatingSystemMXBean;
import dev.berth.app.bench.BenchCommand;
import dev.berth.client.Cluster;
import dev.berth.control.schedule.SchedulerOptions;
import dev.berth.core.admission.FeatureGates;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/// Measures shapes one after the other.
final class SchedulingBench {

    private static final int WARM_UP_NODES = 100;
    private static final int WARM_UP_SECONDS_EACH = 3;

    /// How to measure.
    ///
    /// @param nodes zero for as many as the shape has
    /// @param seconds how long steady shapes last
    /// @param rounds how often a shape is run; the last counts, the others have few nodes
    record Plan(int nodes, int seconds, int rounds, SchedulerOptions options) {}

    private final Plan plan;
    private final Consumer<String> progress;

    SchedulingBench(Plan plan, Consumer<String> progress) {
        this.plan = plan;
        this.progress = progress;
    }

    private int nodes(Shape shape) {
        return plan.nodes == 0 ? shape.nodes() : plan.nodes;
    }

    /// In a cluster of its own, in this process.
    Measured own(Shape shape) throws IOException, InterruptedException {
        for (var round = 1; round < plan.rounds; round++) {
            ownOnce(shape, Math.min(WARM_UP_NODES, nodes(shape)));
        }
        return ownOnce(shape, nodes(shape));
    }

    /// Lets pods of all shapes come for a while before anything counts, so that busy code is
    /// compiled.
    void warmUp(int seconds, List<Shape> shapes) throws IOException, InterruptedException {
        var shortly =
                new SchedulingBench(
                        new Plan(WARM_UP_NODES, WARM_UP_SECONDS_EACH, 1, plan.options), progress);
        var end = System.nanoTime() + Duration.ofSeconds(seconds).toNanos();
        for (var i = 0; System.nanoTime() < end; i++) {
            shortly.ownOnce(shapes.get(i % shapes.size()), WARM_UP_NODES);
        }
    }

    private Measured ownOnce(Shape shape, int nodes) throws IOException, InterruptedException {
        var directory = Files.createTempDirectory("berth-bench");
        var gates = FeatureGates.all();
        try (var own = new OwnCluster(directory, gates, plan.options)) {
            var cluster = own.cluster("berth-bench");
            var stage = new Stage(cluster, shape, nodes);
            prepare(cluster, shape, stage, nodes, gates);
            // What earlier clusters and the making of this one left is not for its pods to clear.
            System.gc();
            var before = own.decisions();
            var processBefore = processNanos();
            var compilerBefore = CompilerTime.millis();
            var threadBefore = schedulerNanos();
            var rates = flow(cluster, shape, stage, nodes);
            var pods = Math.max(1, rates.pods());
            var decisions = own.decisions().since(before);
            var effort =
                    new Measured.Effort(
                            (processNanos() - processBefore) / 1e6 / pods,
                            (CompilerTime.millis() - compilerBefore) / pods,
                            (schedulerNanos() - threadBefore) / 1e6 / pods,
                            decisions.millis(0.5),
                            decisions.millis(0.99));
            return new Measured(shape, nodes, rates, Optional.of(effort));
        } finally {
            BenchCommand.delete(directory);
        }
    }

    /// In a cluster somewhere else, with its own scheduler or ours.
    Measured other(Shape shape, Cluster cluster) throws InterruptedException {
        var nodes = nodes(shape);
        var stage = new Stage(cluster, shape, nodes);
        try {
            prepare(cluster, shape, stage, nodes, FeatureGates.all());
            var rates = flow(cluster, shape, stage, nodes);
            return new Measured(shape, nodes, rates, Optional.empty());
        } finally {
            progress.accept(shape.name() + ": clearing away");
            stage.strike();
        }
    }

    private void prepare(Cluster cluster, Shape shape, Stage stage, int nodes, FeatureGates gates)
            throws InterruptedException {
        progress.accept("%s: making %d nodes".formatted(shape.name(), nodes));
        stage.set();
        var held = shape.held().apply(nodes);
        progress.accept("%s: holding %d claims".formatted(shape.name(), held));
        new Filling(stage, gates).fill(cluster, held);
    }

    private Rates flow(Cluster cluster, Shape shape, Stage stage, int nodes)
            throws InterruptedException {
        var scheduler = plan.options.profiles().getFirst().schedulerName();
        try (var flow = new Flow(cluster, new Pods(shape, stage, scheduler))) {
            var count = shape.pods(nodes);
            flow.prepare(count);
            progress.accept("%s: pods on %d nodes".formatted(shape.name(), nodes));
            List<Long> times =
                    switch (shape.mode()) {
                        case Shape.Mode.Burst _ -> flow.burst(count);
                        case Shape.Mode.Steady _ -> flow.steady(Duration.ofSeconds(plan.seconds));
                    };
            return Rates.of(times);
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
