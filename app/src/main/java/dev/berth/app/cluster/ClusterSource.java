package dev.berth.app.cluster;

import dev.berth.app.remote.ClusterOptions;
import dev.berth.client.config.ConfigException;
import dev.berth.core.admission.FeatureGates;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// Where a command takes its cluster from: files, a cluster that runs, or files on top of that.
public final class ClusterSource {

    private static final String MANAGER = "berth";

    @Option(
            names = {"-f", "--filename", "--file"},
            paramLabel = "FILE",
            description =
                    "File, directory, or - for standard input. Repeatable (default: the running"
                            + " cluster).")
    private List<String> files = new ArrayList<>();

    @Option(
            names = "--live",
            description =
                    "Read the running cluster, and the files on top of it. Implied by --kubeconfig"
                            + " and --context.")
    private boolean isLive;

    @Mixin private ClusterOptions where = new ClusterOptions();

    /// Whether the running cluster is read, and not only files.
    public boolean readsCluster() {
        return isLive || where.isNamed() || files.isEmpty();
    }

    /// Reads everything. What could not be read is among the problems.
    public ClusterFiles read(CommandLine command, FeatureGates gates) {
        var cluster = new ClusterFiles(gates, Clock.systemUTC().instant());
        if (readsCluster()) {
            try (var live = where.connect(command, MANAGER)) {
                cluster.read(new LiveObjects(live));
            } catch (ConfigException e) {
                cluster.refuse(String.valueOf(e.getMessage()));
            }
        }
        if (cluster.problems().isEmpty()) {
            cluster.read(files, System.in);
        }
        cluster.notes().forEach(note -> command.getErr().println("berth: " + note));
        return cluster;
    }

    /// The namespace that is named, that of the kubeconfig, or `default`.
    public String namespace(Optional<String> named) {
        if (named.isPresent() || !readsCluster()) {
            return named.orElse("default");
        }
        try {
            var found = where.access().namespace();
            return found.isEmpty() ? "default" : found;
        } catch (ConfigException _) {
            // Reading has said so already.
            return "default";
        }
    }
}
