package dev.berth.app.cluster;

import dev.berth.app.remote.ClusterOptions;
import dev.berth.client.Cluster;
import dev.berth.client.config.ConfigException;
import dev.berth.core.admission.gate.FeatureGates;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// The source of a command's cluster: files, a running cluster, or files on top of a running
/// cluster.
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

    /// Whether a running cluster is read.
    public boolean readsCluster() {
        return isLive || where.isNamed() || files.isEmpty();
    }

    /// Reads all objects. Read errors are in `problems`.
    public ClusterFiles read(CommandLine command, FeatureGates gates) {
        return read(command, gates, (cluster, objects) -> objects.read(new LiveObjects(cluster)));
    }

    /// Reads all objects that matter for one object, as far as the user may read them: pods and
    /// claims of its namespace if those of other namespaces are forbidden.
    ///
    /// @param workload kind of the workload controllers to read; empty for none
    public ClusterFiles readAround(
            CommandLine command, FeatureGates gates, String namespace, Optional<String> workload) {
        return read(
                command,
                gates,
                (cluster, objects) -> {
                    var live = new LiveObjects(cluster, namespace);
                    objects.read(live);
                    if (objects.problems().isEmpty()) {
                        objects.readRecords(live);
                    }
                    if (objects.problems().isEmpty() || objects.isForbidden()) {
                        workload.ifPresent(kind -> objects.readWorkloads(live, kind, namespace));
                    }
                });
    }

    private ClusterFiles read(
            CommandLine command, FeatureGates gates, BiConsumer<Cluster, ClusterFiles> reader) {
        var cluster = new ClusterFiles(gates, Clock.systemUTC().instant());
        if (readsCluster()) {
            try (var live = where.connect(command, MANAGER)) {
                reader.accept(live, cluster);
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

    /// The given namespace, that of the kubeconfig, or `default`.
    public String namespace(Optional<String> named) {
        if (named.isPresent() || !readsCluster()) {
            return named.orElse("default");
        }
        try {
            var found = where.access().namespace();
            return found.isEmpty() ? "default" : found;
        } catch (ConfigException _) {
            // The error was reported by the read.
            return "default";
        }
    }
}
