package dev.berth.app.bench;

import dev.berth.app.print.Output;
import dev.berth.app.print.Progress;
import dev.berth.model.json.JsonWriter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// `berth bench server`: what an API server can do.
@Command(
        name = "server",
        description = {
            "Measure an API server: one that is started for it in a process and a directory of its"
                    + " own, or with --kubeconfig any other.",
            "It creates claims of 2 KB, lists 5,000 ResourceSlices of 8 devices, and sends 100"
                    + " events to 2,000 watchers, all over HTTPS. The load comes from this process,"
                    + " so the two share the machine.",
            "On another server everything is made in the namespace berth-bench, or labelled with"
                    + " that word, and removed at the end."
        },
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "Examples:",
            "  berth bench server",
            "  berth bench server --clients 1,64 --seconds 10 -o json",
            "  berth bench server --kubeconfig ~/.kube/config",
            ""
        })
public final class ServerBenchCommand implements Callable<Integer> {

    @Spec private CommandSpec spec = CommandSpec.create();

    @Option(
            names = "--clients",
            split = ",",
            paramLabel = "N",
            description = "How many create at the same time (default: 1,16,128).")
    private List<Integer> clients = new ArrayList<>(List.of(1, 16, 128));

    @Option(
            names = "--seconds",
            defaultValue = "5",
            paramLabel = "N",
            description = "How long to create with each number of clients.")
    private int seconds = 5;

    @Option(
            names = "--warm-up",
            defaultValue = "40",
            paramLabel = "N",
            description =
                    "How many seconds to create before anything counts (default:"
                            + " ${DEFAULT-VALUE}); 0 to measure a server that has just started.")
    private int warmUp = 40;

    @Option(
            names = "--slices",
            defaultValue = "5000",
            paramLabel = "N",
            description = "How many ResourceSlices to list; 0 to leave that out.")
    private int slices = 5_000;

    @Option(
            names = "--watchers",
            defaultValue = "2000",
            paramLabel = "N",
            description = "How many watch; 0 to leave that out.")
    private int watchers = 2_000;

    @Option(
            names = "--kubeconfig",
            paramLabel = "FILE",
            description = "Measure the server of this file's current context instead.")
    private Optional<Path> kubeconfig = Optional.empty();

    @Option(
            names = {"-o", "--output"},
            defaultValue = "table",
            paramLabel = "FORM",
            description = "How to print: table or json.")
    private Output output = Output.TABLE;

    @Override
    public Integer call() throws IOException, InterruptedException {
        check();
        var progress = new Progress(spec.commandLine().getErr());
        var bench =
                new ServerBench(
                        new ServerBench.Plan(clients, seconds, warmUp, slices, watchers), progress);
        var report = kubeconfig.isPresent() ? bench.other(Reach.of(kubeconfig.get())) : bench.own();
        progress.clear();
        var out = spec.commandLine().getOut();
        if (output == Output.JSON) {
            out.print(JsonWriter.pretty(report.toJson()));
        } else {
            out.print(report.toTable());
        }
        out.flush();
        return 0;
    }

    private void check() {
        if (seconds < 1 || clients.isEmpty() || clients.stream().anyMatch(one -> one < 1)) {
            throw new ParameterException(
                    spec.commandLine(), "--clients and --seconds take whole numbers from 1 up");
        }
        if (output == Output.YAML) {
            throw new ParameterException(spec.commandLine(), "-o takes table or json here");
        }
    }
}
