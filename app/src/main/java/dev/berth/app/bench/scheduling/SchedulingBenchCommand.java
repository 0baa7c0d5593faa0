package dev.berth.app.bench.scheduling;

import dev.berth.app.print.Output;
import dev.berth.app.print.Progress;
import dev.berth.app.print.TextTable;
import dev.berth.app.remote.ClusterOptions;
import dev.berth.app.schedule.SchedulerFlags;
import dev.berth.core.admission.FeatureGates;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.JsonWriter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// `berth bench scheduling`: how fast pods with claims get to nodes.
@Command(
        name = "scheduling",
        description = {
            "Measure how many pods a second get their devices and their node: with server,"
                    + " controllers and scheduler in this process and all objects kept durably, or"
                    + " with --kubeconfig in any other cluster.",
            "Each pod means: a claim from a template, its name in the pod's status, finalizer,"
                    + " allocation, reservation, binding, events. Steady shapes keep ten pods on"
                    + " their way; bursts create all at once.",
            "Elsewhere everything is made in the namespace berth-bench, or labelled with that"
                    + " word, and removed at the end."
        },
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "Examples:",
            "  berth bench scheduling",
            "  berth bench scheduling --shape burst,match --nodes 5000 -o json",
            "  berth bench scheduling --shape empty --warm-up 0 --rounds 1",
            "  berth bench scheduling --kubeconfig ~/.kube/config --scheduler-name"
                    + " default-scheduler",
            ""
        })
public final class SchedulingBenchCommand implements Callable<Integer> {

    @Spec private CommandSpec spec = CommandSpec.create();

    @Mixin private ClusterOptions where = new ClusterOptions();

    @Mixin private SchedulerFlags scheduling = new SchedulerFlags();

    @Option(
            names = "--shape",
            split = ",",
            paramLabel = "NAME",
            description = "Which shapes; all by default.")
    private List<String> shapes = new ArrayList<>();

    @Option(
            names = "--nodes",
            defaultValue = "0",
            paramLabel = "N",
            description = "How many nodes (default: 500).")
    private int nodes;

    @Option(
            names = "--seconds",
            defaultValue = "10",
            paramLabel = "N",
            description = "How long steady shapes last.")
    private int seconds = 10;

    @Option(
            names = "--warm-up",
            defaultValue = "60",
            paramLabel = "N",
            description =
                    "How many seconds to schedule before anything counts, so that code is"
                            + " compiled (default: ${DEFAULT-VALUE}; 0 measures a process that has"
                            + " just started).")
    private int warmUp = 60;

    @Option(
            names = "--rounds",
            defaultValue = "2",
            paramLabel = "N",
            description = {
                "How often each shape is run; the last counts, the others have 100 nodes at most"
                        + " and make it warm (default: ${DEFAULT-VALUE})."
            })
    private int rounds = 2;

    @Option(names = "--list-shapes", description = "Show the shapes, and end.")
    private boolean isListing;

    @Option(
            names = {"-o", "--output"},
            defaultValue = "table",
            paramLabel = "FORM",
            description = "How to print: table or json.")
    private Output output = Output.TABLE;

    @Override
    public Integer call() throws IOException, InterruptedException {
        var out = spec.commandLine().getOut();
        if (isListing) {
            Shapes.all().forEach(one -> out.println("%-16s %s".formatted(one.name(), one.says())));
            return 0;
        }
        var chosen = chosen();
        var progress = new Progress(spec.commandLine().getErr());
        var options = scheduling.options(FeatureGates.all());
        var plan = new SchedulingBench.Plan(nodes, seconds, rounds, options);
        var bench = new SchedulingBench(plan, progress::show);
        if (warmUp > 0 && !where.isNamed()) {
            bench.warmUp(warmUp, chosen);
        }
        var results = new ArrayList<Measured>();
        for (var shape : chosen) {
            results.add(measure(bench, shape));
        }
        progress.clear();
        out.print(output == Output.JSON ? json(results) : table(results));
        out.flush();
        return 0;
    }

    private Measured measure(SchedulingBench bench, Shape shape)
            throws IOException, InterruptedException {
        if (!where.isNamed()) {
            return bench.own(shape);
        }
        try (var cluster = where.connect(spec.commandLine(), "berth-bench")) {
            return bench.other(shape, cluster);
        }
    }

    private List<Shape> chosen() {
        if (seconds < 1 || rounds < 1 || nodes < 0 || warmUp < 0) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--nodes, --seconds and --rounds take numbers from 1 up, --warm-up from 0 up");
        }
        if (output == Output.YAML) {
            throw new ParameterException(spec.commandLine(), "-o takes table or json here");
        }
        return shapes.isEmpty() ? Shapes.all() : shapes.stream().map(this::named).toList();
    }

    private Shape named(String name) {
        return Shapes.named(name)
                .orElseThrow(() ->
                        new ParameterException(
                                spec.commandLine(),
                                "there is no shape \"%s\"; there are %s"
                                        .formatted(
                                                name,
                                                Shapes.all().stream()
                                                        .map(Shape::name)
                                                        .collect(Collectors.joining(", ")))));
    }

    private static String json(List<Measured> results) {
        var all = Json.array(results.stream().map(Measured::toJson).toList());
        return JsonWriter.pretty(JsonObject.of("shapes", all));
    }

    private static String table(List<Measured> results) {
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
                        "DECISION P50",
                        "P99");
        for (var one : results) {
            var rates = one.rates();
            var effort = one.effort();
            table.add(
                    one.shape().name(),
                    String.valueOf(one.nodes()),
                    String.valueOf(rates.pods()),
                    figure(rates.average()),
                    figure(rates.median()),
                    figure(rates.worst()),
                    effort.map(took -> figure(took.processMillis())).orElse("-"),
                    effort.map(took -> figure(took.compilerMillis())).orElse("-"),
                    effort.map(took -> figure(took.schedulerMillis())).orElse("-"),
                    effort.map(took -> figure(took.median())).orElse("-"),
                    effort.map(took -> figure(took.slow())).orElse("-"));
        }
        return table.toString();
    }

    private static String figure(double value) {
        return String.format(Locale.ROOT, value < 10 ? "%.2f" : "%,.0f", value);
    }
}
