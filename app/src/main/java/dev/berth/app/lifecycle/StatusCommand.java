package dev.berth.app.lifecycle;

import dev.berth.app.print.OutputOption;
import dev.berth.app.print.Progress;
import dev.berth.app.running.ClusterRecord;
import dev.berth.app.running.ClusterRegistry;
import dev.berth.app.running.DataDirectory;
import dev.berth.model.json.JsonWriter;
import dev.berth.model.json.YamlWriter;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `berth status`: shows the clusters of `berth up` on this machine.
@Command(
        name = "status",
        description = {
            "Show the running clusters of berth up on this machine.",
            "",
            "The output has the data directory, the address, the process, nodes, pods and devices"
                    + " of each cluster."
        },
        mixinStandardHelpOptions = true,
        exitCodeList = {
            "0:a cluster runs; with --wait, it is ready",
            "1:no cluster runs; with --wait, it was not ready in time",
            "2:usage error"
        },
        footer = {
            "Examples:",
            "  berth status",
            "  berth status --wait=60",
            "  berth status --data-dir /tmp/cluster -o json"
        })
public final class StatusCommand implements Callable<Integer> {

    private static final int POLL_MILLIS = 200;

    @Spec private CommandSpec spec = CommandSpec.create();

    @Option(
            names = "--data-dir",
            paramLabel = "DIR",
            description = "Data directory of one cluster (default: all running clusters).")
    private Optional<Path> directory = Optional.empty();

    @Option(
            names = "--wait",
            arity = "0..1",
            fallbackValue = "120",
            paramLabel = "SECONDS",
            description =
                    "Wait until the cluster of --data-dir or of the default data directory is"
                            + " ready: all nodes are ready, all devices are published. Fail after"
                            + " this time (default: 120).")
    private Optional<Integer> waitSeconds = Optional.empty();

    @Mixin private OutputOption output = new OutputOption();

    @Override
    public Integer call() throws InterruptedException {
        var isReady =
                waitSeconds.isEmpty() || await(Duration.ofSeconds(waitSeconds.get().longValue()));
        var states = running().stream().map(ClusterState::read).toList();
        print(states);
        return isReady && !states.isEmpty() ? 0 : 1;
    }

    private boolean await(Duration timeout) throws InterruptedException {
        var progress = new Progress(spec.commandLine().getErr());
        var end = System.nanoTime() + timeout.toNanos();
        var place = directory.orElseGet(DataDirectory::usual);
        while (!isReady(place)) {
            if (System.nanoTime() > end) {
                progress.clear();
                spec.commandLine()
                        .getErr()
                        .println(
                                "berth: the cluster in %s is not ready after %d s"
                                        .formatted(place, timeout.toSeconds()));
                return false;
            }
            progress.show(
                    ClusterRecord.running(place)
                            .map(one ->
                                    one.progress().isEmpty()
                                            ? "waiting until all nodes are ready"
                                            : one.progress())
                            .orElse("waiting for a cluster in " + place));
            Thread.sleep(POLL_MILLIS);
        }
        progress.clear();
        return true;
    }

    private static boolean isReady(Path place) {
        return ClusterRecord.running(place)
                .filter(one -> one.phase() == ClusterRecord.Phase.READY)
                .map(ClusterState::read)
                .filter(ClusterState::isReady)
                .isPresent();
    }

    /// The running clusters: the one given by an option, or all registered ones.
    private List<ClusterRecord> running() {
        if (directory.isPresent()) {
            return ClusterRecord.running(directory.get()).stream().toList();
        }
        var clusters = new LinkedHashMap<Path, ClusterRecord>();
        ClusterRecord.running(DataDirectory.usual())
                .ifPresent(one -> clusters.put(one.directory(), one));
        ClusterRegistry.ofUser()
                .running()
                .forEach(one -> clusters.putIfAbsent(one.directory(), one));
        return List.copyOf(clusters.values());
    }

    private void print(List<ClusterState> states) {
        var out = spec.commandLine().getOut();
        var text = new StatusText(Clock.systemUTC().instant());
        switch (output.format()) {
            case TEXT ->
                    out.print(
                            states.isEmpty()
                                    ? "No cluster runs%s. berth up starts one.%n"
                                            .formatted(
                                                    directory.map(path -> " in " + path).orElse(""))
                                    : text.of(states));
            case JSON -> out.print(JsonWriter.pretty(StatusText.tree(states)));
            case YAML -> out.print(YamlWriter.write(StatusText.tree(states)));
        }
        out.flush();
    }
}
