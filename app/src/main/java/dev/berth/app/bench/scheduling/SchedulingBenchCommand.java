package dev.berth.app.bench.scheduling;

import dev.berth.app.bench.ProcessUsage;
import dev.berth.app.print.OutputOption;
import dev.berth.app.print.Progress;
import dev.berth.app.print.TextTable;
import dev.berth.app.remote.ClusterOptions;
import dev.berth.app.schedule.SchedulingOptions;
import dev.berth.core.admission.gate.FeatureGates;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.model.text.FailureText;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// `berth bench scheduling`: rate at which pods with claims are scheduled.
@Command(
        name = "scheduling",
        description = {
            "Measure how many pods with claims are scheduled per second.",
            "",
            "Without --kubeconfig, API server, controllers and scheduler run in this process, with"
                    + " a durable store. For each pod a claim is created from a template,"
                    + " allocated, reserved, and the pod is bound. Steady shapes keep ten pods in"
                    + " flight; bursts create all pods at once.",
            "",
            "P50 and P99 are pods per second over windows of one second: half of the windows had"
                    + " P50 pods or more, 99 of 100 had P99 or more. Steady shapes count all of"
                    + " their time, bursts until the last pod is bound. A burst of less than a"
                    + " second has neither.",
            "",
            "In the cluster of --kubeconfig, objects are created in the namespace berth-bench or"
                    + " with the label berth-bench, and deleted before and after each shape. A"
                    + " shape that needs a disabled feature gate fails; the others run. SCHEDULER"
                    + " is CPU in ms for each pod of the process of --scheduler-pid. API SERVER is"
                    + " that of the process of the API server with all that runs in it: that of"
                    + " --server-pid, of a cluster of berth up, or of the metric"
                    + " process_cpu_seconds_total, if the server serves it."
        },
        mixinStandardHelpOptions = true,
        exitCodeList = {
            "0:all shapes were measured",
            "1:at least one shape failed; the table says why",
            "2:usage error"
        },
        footer = {
            "Examples:",
            "  berth bench scheduling",
            "  berth bench scheduling --shape burst,match --nodes 5000 -o json",
            "  berth bench scheduling --shape burst --nodes 5000 --pods 5000",
            "  berth bench scheduling --shape empty --warm-up 0 --rounds 1",
            "  berth bench scheduling --kubeconfig ~/.kube/config --scheduler-name"
                    + " default-scheduler"
        })
public final class SchedulingBenchCommand implements Callable<Integer> {

    private static final int WIDEST = 160;

    @Spec private CommandSpec spec = CommandSpec.create();

    @Mixin private ClusterOptions where = new ClusterOptions();

    @Mixin private SchedulingOptions scheduling = new SchedulingOptions();

    @Option(
            names = "--shape",
            split = ",",
            paramLabel = "NAME",
            description = "Shapes to run (default: all). --list-shapes lists them.")
    private List<String> shapes = new ArrayList<>();

    @Option(
            names = "--nodes",
            defaultValue = "0",
            paramLabel = "N",
            description = "Number of nodes (default: 500).")
    private int nodes;

    @Option(
            names = "--pods",
            defaultValue = "0",
            paramLabel = "N",
            description =
                    "Number of pods of a burst (default: 5 for each node, 10 for gang-shared)."
                            + " Steady shapes are limited by --seconds.")
    private int pods;

    @Option(
            names = "--seconds",
            defaultValue = "10",
            paramLabel = "N",
            description = "Duration of steady shapes in seconds.")
    private int seconds = 10;

    @Option(
            names = "--warm-up",
            defaultValue = "60",
            paramLabel = "N",
            description =
                    "Warm-up in seconds before the measurement. 0 measures a process that has just"
                            + " started.")
    private int warmUp = 60;

    @Option(
            names = "--rounds",
            defaultValue = "2",
            paramLabel = "N",
            description =
                    "Number of runs of each shape. The last one is reported; the others are warm-up"
                            + " with at most 100 nodes.")
    private int rounds = 2;

    @Option(
            names = "--keep-failed",
            description =
                    "Keep the objects of a failed shape in the cluster of --kubeconfig for"
                            + " inspection. The next run deletes them.")
    private boolean keepsFailed;

    @Option(
            names = "--server-pid",
            paramLabel = "PID",
            description = "Process of the API server of --kubeconfig, when it is on this machine.")
    private Optional<Long> serverPid = Optional.empty();

    @Option(
            names = "--scheduler-pid",
            paramLabel = "PID",
            description = "Process of the scheduler of --kubeconfig, when it is on this machine.")
    private Optional<Long> schedulerPid = Optional.empty();

    @Option(names = "--list-shapes", description = "List shapes and exit.")
    private boolean isListing;

    @Mixin private OutputOption output = new OutputOption();

    @Override
    public Integer call() throws IOException, InterruptedException {
        var out = spec.commandLine().getOut();
        if (isListing) {
            var table = new TextTable("SHAPE", "DESCRIPTION");
            WorkloadShapes.all().forEach(one -> table.add(one.name(), one.says()));
            out.print(table);
            return 0;
        }
        var chosen = chosen();
        var progress = new Progress(spec.commandLine().getErr());
        var options = scheduling.options(FeatureGates.all());
        var plan = new SchedulingBench.Plan(nodes, pods, seconds, rounds, keepsFailed, options);
        var bench = new SchedulingBench(plan, progress::show);
        if (warmUp > 0 && !where.isNamed()) {
            bench.warmUp(warmUp, chosen);
        }
        var results = new ArrayList<ShapeResult>();
        for (var shape : chosen) {
            results.add(result(bench, shape, plan.nodes(shape)));
        }
        progress.clear();
        out.print(output.render(() -> table(results), () -> tree(results)));
        out.flush();
        return results.stream().allMatch(ShapeMeasurement.class::isInstance) ? 0 : 1;
    }

    /// Measures one shape. A failure does not end the run.
    private ShapeResult result(SchedulingBench bench, WorkloadShape shape, int shapeNodes)
            throws InterruptedException {
        try {
            return measure(bench, shape);
        } catch (IOException | RuntimeException e) {
            return new ShapeResult.Failed(shape, shapeNodes, FailureText.of(e));
        }
    }

    private ShapeMeasurement measure(SchedulingBench bench, WorkloadShape shape)
            throws IOException, InterruptedException {
        if (!where.isNamed()) {
            return bench.own(shape);
        }
        try (var cluster = where.connect(spec.commandLine(), "berth-bench")) {
            return bench.other(shape, cluster, processes());
        }
    }

    private MeasuredProcesses processes() {
        return new MeasuredProcesses(
                schedulerPid.map(ProcessUsage::ofPid).orElse(ProcessUsage.UNKNOWN),
                MeasuredProcesses.server(serverPid, where.access()));
    }

    private List<WorkloadShape> chosen() {
        if (seconds < 1 || rounds < 1 || nodes < 0 || pods < 0 || warmUp < 0) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--seconds and --rounds must be at least 1; --nodes, --pods and --warm-up must"
                            + " not be negative");
        }
        return shapes.isEmpty() ? WorkloadShapes.all() : shapes.stream().map(this::named).toList();
    }

    private WorkloadShape named(String name) {
        return WorkloadShapes.named(name)
                .orElseThrow(() ->
                        new ParameterException(
                                spec.commandLine(),
                                "--shape: \"%s\" is not one of %s"
                                        .formatted(
                                                name,
                                                WorkloadShapes.all().stream()
                                                        .map(WorkloadShape::name)
                                                        .collect(Collectors.joining(", ")))));
    }

    private static JsonObject tree(List<ShapeResult> results) {
        var all = Json.array(results.stream().map(ShapeResult::toJson).toList());
        return JsonObject.of("shapes", all);
    }

    private static String table(List<ShapeResult> results) {
        var table =
                new TextTable(
                        "SHAPE",
                        "NODES",
                        "PODS",
                        "PODS/S",
                        "P50",
                        "P99",
                        "CPU MS/POD",
                        "COMPILER",
                        "SCHEDULER",
                        "API SERVER",
                        "DECISION P50",
                        "P99");
        for (var one : results) {
            switch (one) {
                case ShapeMeasurement measured -> table.add(row(measured));
                case ShapeResult.Failed failed -> table.add(row(failed));
            }
        }
        return table.toString();
    }

    private static String[] row(ShapeMeasurement one) {
        var rates = one.rates();
        var effort = one.effort();
        return new String[] {
            one.shape().name(),
            String.valueOf(one.nodes()),
            String.valueOf(rates.pods()),
            figure(rates.average()),
            rates.spread().map(spread -> figure(spread.median())).orElse("-"),
            rates.spread().map(spread -> figure(spread.slow())).orElse("-"),
            effort.map(took -> figure(took.processMillis())).orElse("-"),
            effort.map(took -> figure(took.compilerMillis())).orElse("-"),
            effort.map(took -> figure(took.schedulerMillis()))
                    .orElseGet(() -> figure(one.processes().scheduler())),
            figure(one.processes().server()),
            effort.map(took -> figure(took.median())).orElse("-"),
            effort.map(took -> figure(took.slow())).orElse("-")
        };
    }

    /// A row of a failed shape. The reason is in the last column, which may be wide; JSON has the
    /// whole text.
    private static String[] row(ShapeResult.Failed one) {
        var why = one.why().length() <= WIDEST ? one.why() : one.why().substring(0, WIDEST) + "…";
        var cells = new String[] {"-", "-", "-", "-", "-", "-", "-", "-", "-", "-", "-", why};
        cells[0] = one.shape().name();
        cells[1] = String.valueOf(one.nodes());
        return cells;
    }

    private static String figure(OptionalDouble value) {
        return value.isPresent() ? figure(value.getAsDouble()) : "-";
    }

    private static String figure(double value) {
        return String.format(Locale.ROOT, value < 10 ? "%.2f" : "%,.0f", value);
    }
}
