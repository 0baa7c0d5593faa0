package dev.berth.app.bench.placement;

import dev.berth.app.print.Progress;
import dev.berth.app.print.TextTable;
import dev.berth.app.schedule.PolicyConverter;
import dev.berth.app.schedule.PolicyNames;
import dev.berth.core.place.PlacementPolicy;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonWriter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// `berth bench placement`: how well policies place the pods of traces.
@Command(
        name = "placement",
        description = {
            "Measure how well placement policies use devices, by replaying traces of pod arrivals.",
            "",
            "Traces are CSV files: openb (name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,"
                    + " with nodes.csv beside it), partitions of GPUs"
                    + " (arrival_s,lifetime_s,profile) and devices with locations"
                    + " (arrival_s,lifetime_s,gpus,nics). A pod that does not fit when it arrives"
                    + " is dropped.",
            "",
            "For openb, AT100 to AT130 are GPUs in use in percent when the arrived pods request 100"
                    + " to 130 percent of all GPUs. For the others, ACCEPTED is the percentage of"
                    + " pods that fitted, and ALIGNED that of pods whose devices are in as few PCIe"
                    + " roots as possible."
        },
        mixinStandardHelpOptions = true,
        exitCodeList = {"0:all traces were replayed", "1:a replay failed", "2:usage error"},
        footer = {
            "Examples:",
            "  berth bench placement --trace traces/openb --policy pack",
            "  berth bench placement --trace traces/align-0.7-1.csv --policy aligned --policy pack",
            "  berth bench placement --trace traces/openb/default-42.csv --policy pack --live",
            "  berth bench placement --trace traces/openb/default-42.csv -o svg > curves.svg"
        })
public final class PlacementBenchCommand implements Callable<Integer> {

    private static final int PROGRESS_EVERY = 50;

    /// Output formats of the command.
    enum Format {
        TABLE,
        JSON,
        SVG;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    @Spec private CommandSpec spec = CommandSpec.create();

    @Option(
            names = "--trace",
            required = true,
            arity = "1..*",
            paramLabel = "DIR|FILE",
            description = "ArrivalTrace files, or directories with trace files. Repeatable.")
    private List<Path> paths = new ArrayList<>();

    @Option(
            names = "--policy",
            paramLabel = "POLICY",
            converter = PolicyConverter.class,
            completionCandidates = PolicyNames.class,
            description =
                    "Policy to measure, or several in order as in aligned,pack. Repeatable"
                            + " (default: all four).")
    private List<PlacementPolicy> policies = new ArrayList<>();

    @Option(
            names = "--live",
            description =
                    "Schedule the pods with API server, controllers and scheduler in this process,"
                            + " instead of planning them.")
    private boolean isLive;

    @Option(
            names = {"-o", "--output"},
            defaultValue = "table",
            paramLabel = "FORMAT",
            description = "Output format.")
    private Format format = Format.TABLE;

    @Override
    public Integer call() throws IOException, InterruptedException {
        var traces = traces();
        var progress = new Progress(spec.commandLine().getErr());
        var results = new ArrayList<ReplayResult>();
        for (var trace : traces) {
            for (var policy : policies.isEmpty() ? PlacementPolicy.all() : policies) {
                results.add(replay(trace, policy, progress));
            }
        }
        progress.clear();
        var out = spec.commandLine().getOut();
        out.print(
                switch (format) {
                    case TABLE -> table(results);
                    case JSON -> json(results);
                    case SVG -> AllocationChart.svg(results);
                });
        out.flush();
        return 0;
    }

    private List<ArrivalTrace> traces() throws IOException {
        var traces = new ArrayList<ArrivalTrace>();
        for (var path : paths) {
            var files = TraceFile.find(path);
            if (files.isEmpty()) {
                throw new ParameterException(
                        spec.commandLine(), "--trace: no trace files in " + path);
            }
            for (var file : files) {
                traces.add(TraceFile.read(file));
            }
        }
        return traces;
    }

    private ReplayResult replay(ArrivalTrace trace, PlacementPolicy policy, Progress progress)
            throws IOException, InterruptedException {
        try (var target = target(trace, policy)) {
            return new TraceReplay(trace, target)
                    .run(
                            policy.toString(),
                            done -> {
                                if (done % PROGRESS_EVERY == 0) {
                                    progress.show(
                                            "%s-%s %s: %d of %d pods"
                                                    .formatted(
                                                            trace.workload(),
                                                            trace.seed(),
                                                            policy,
                                                            done,
                                                            trace.arrivals().size()));
                                }
                            });
        }
    }

    private ReplayTarget target(ArrivalTrace trace, PlacementPolicy policy) throws IOException {
        return isLive
                ? new LiveCluster(trace.objects(), policy)
                : new PlannedCluster(trace.objects(), policy);
    }

    private static String json(List<ReplayResult> results) {
        return JsonWriter.pretty(Json.array(results.stream().map(ReplayResult::toJson).toList()));
    }

    private static String table(List<ReplayResult> results) {
        var table =
                new TextTable(
                        "WORKLOAD",
                        "SEED",
                        "POLICY",
                        "AT100",
                        "AT110",
                        "AT120",
                        "AT130",
                        "PLACED",
                        "ARRIVED",
                        "ACCEPTED",
                        "ALIGNED",
                        "CPU S",
                        "RSS MB");
        for (var one : results) {
            table.add(
                    one.trace().workload(),
                    one.trace().seed(),
                    one.policy(),
                    figure(one.at(100)),
                    figure(one.at(110)),
                    figure(one.at(120)),
                    figure(one.at(130)),
                    String.valueOf(one.placed()),
                    String.valueOf(one.trace().arrivals().size()),
                    figure(one.accepted()),
                    figure(one.aligned()),
                    figure(one.cpuSeconds()),
                    figure(one.residentMegabytes()));
        }
        return table.toString();
    }

    private static String figure(OptionalDouble value) {
        return value.isPresent() ? String.format(Locale.ROOT, "%.2f", value.getAsDouble()) : "-";
    }
}
