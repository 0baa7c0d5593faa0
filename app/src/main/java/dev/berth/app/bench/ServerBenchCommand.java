package dev.berth.app.bench;

import dev.berth.app.print.OutputOption;
import dev.berth.app.print.Progress;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// `berth bench server`: throughput, latency and memory of an API server.
@Command(
        name = "server",
        description = {
            "Measure the throughput and latency of an API server.",
            "",
            "Without --kubeconfig, a server is started in a process and a directory of its own. The"
                    + " benchmark creates claims of 2 KB, lists 5,000 ResourceSlices of 8 devices,"
                    + " and sends 100 events to 2,000 watchers, all over HTTPS. The load is"
                    + " generated in this process, so both share the machine; CPU and memory are"
                    + " those of the server process alone.",
            "",
            "On the server of --kubeconfig, objects are created in the namespace berth-bench or"
                    + " with the label berth-bench, and deleted at the end. CPU and memory are"
                    + " those of --server-pid or of the metrics process_cpu_seconds_total and"
                    + " process_resident_memory_bytes, if the server serves them."
        },
        mixinStandardHelpOptions = true,
        footer = {
            "Examples:",
            "  berth bench server",
            "  berth bench server --clients 1,64 --seconds 10 -o json",
            "  berth bench server --encoding protobuf",
            "  berth bench server --kubeconfig ~/.kube/config"
        })
public final class ServerBenchCommand implements Callable<Integer> {

    @Spec private CommandSpec spec = CommandSpec.create();

    @Option(
            names = "--clients",
            split = ",",
            paramLabel = "N",
            description = "Numbers of concurrent clients that create claims (default: 1,16,128).")
    private List<Integer> clients = new ArrayList<>(List.of(1, 16, 128));

    @Option(
            names = "--encoding",
            defaultValue = "json",
            paramLabel = "ENCODING",
            description = "Encoding of requests, responses and events.")
    private Encoding encoding = Encoding.JSON;

    @Option(
            names = "--seconds",
            defaultValue = "5",
            paramLabel = "N",
            description = "Duration in seconds for each number of clients.")
    private int seconds = 5;

    @Option(
            names = "--warm-up",
            defaultValue = "40",
            paramLabel = "N",
            description =
                    "Warm-up in seconds before the measurement. 0 measures a server that has just"
                            + " started.")
    private int warmUp = 40;

    @Option(
            names = "--slices",
            defaultValue = "5000",
            paramLabel = "N",
            description = "Number of ResourceSlices to list. 0 skips this part.")
    private int slices = 5_000;

    @Option(
            names = "--watchers",
            defaultValue = "2000",
            paramLabel = "N",
            description = "Number of watchers. 0 skips this part.")
    private int watchers = 2_000;

    @Option(
            names = "--kubeconfig",
            paramLabel = "FILE",
            description = "Measure the server of the current context of this kubeconfig.")
    private Optional<Path> kubeconfig = Optional.empty();

    @Option(
            names = "--server-pid",
            paramLabel = "PID",
            description =
                    "Process of the server of --kubeconfig, when it runs on this machine (default:"
                            + " read its metrics).")
    private Optional<Long> serverPid = Optional.empty();

    @Mixin private OutputOption output = new OutputOption();

    @Override
    public Integer call() throws IOException, InterruptedException {
        check();
        var progress = new Progress(spec.commandLine().getErr());
        var bench =
                new ServerBench(
                        new ServerBench.Plan(encoding, clients, seconds, warmUp, slices, watchers),
                        progress);
        var report = kubeconfig.isPresent() ? other(bench, kubeconfig.get()) : bench.own();
        progress.clear();
        var out = spec.commandLine().getOut();
        out.print(output.render(report::toTable, report::toJson));
        out.flush();
        return 0;
    }

    private BenchReport other(ServerBench bench, Path file)
            throws IOException, InterruptedException {
        var server = BenchTarget.of(file);
        return bench.other(
                server,
                serverPid.map(ProcessUsage::ofPid).orElseGet(() -> ProcessUsage.ofMetrics(server)));
    }

    private void check() {
        if (seconds < 1 || clients.isEmpty() || clients.stream().anyMatch(one -> one < 1)) {
            throw new ParameterException(
                    spec.commandLine(), "--clients and --seconds must be at least 1");
        }
    }
}
