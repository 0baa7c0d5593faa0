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
import java.util.function.Function;
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
        return read(command, reader -> reader.read(gates));
    }

    /// Reads all objects that matter for one object, as far as the user may read them: pods and
    /// claims of its namespace if those of other namespaces are forbidden.
    ///
    /// @param workload kind of the workload controllers to read; empty for none
    public ClusterFiles readAround(
            CommandLine command, FeatureGates gates, String namespace, Optional<String> workload) {
        return read(command, reader -> reader.readAround(gates, namespace, workload));
    }

    /// Reads all objects and the limits for the creation and eviction of pods. Read errors are in
    /// `problems`.
    public ClusterFiles readWithLimits(CommandLine command, FeatureGates gates) {
        return read(command, reader -> reader.readWithLimits(gates));
    }

    private ClusterFiles read(CommandLine command, Function<Reader, ClusterFiles> read) {
        try (var reader = open(command)) {
            var cluster = read.apply(reader);
            cluster.notes().forEach(note -> command.getErr().println("berth: " + note));
            return cluster;
        }
    }

    /// Connects to the running cluster, if it is read, for one or several reads.
    public Reader open(CommandLine command) {
        if (!readsCluster()) {
            return new Reader(Optional.empty(), "", files);
        }
        try {
            return new Reader(Optional.of(where.connect(command, MANAGER)), "", files);
        } catch (ConfigException e) {
            return new Reader(Optional.empty(), String.valueOf(e.getMessage()), files);
        }
    }

    /// An open source. Closing it ends the connection.
    public static final class Reader implements AutoCloseable {

        private final Optional<Cluster> live;
        private final String problem;
        private final List<String> files;

        private Reader(Optional<Cluster> live, String problem, List<String> files) {
            this.live = live;
            this.problem = problem;
            this.files = List.copyOf(files);
        }

        /// Reads all objects. Read errors are in `problems`.
        public ClusterFiles read(FeatureGates gates) {
            return read(gates, (one, objects) -> objects.read(new LiveObjects(one)));
        }

        private ClusterFiles readWithLimits(FeatureGates gates) {
            return read(
                    gates,
                    (one, objects) -> {
                        objects.considerLimits();
                        objects.read(new LiveObjects(one));
                    });
        }

        private ClusterFiles readAround(
                FeatureGates gates, String namespace, Optional<String> workload) {
            return read(
                    gates,
                    (one, objects) -> {
                        var around = new LiveObjects(one, namespace);
                        objects.read(around);
                        if (objects.problems().isEmpty()) {
                            objects.readRecords(around);
                        }
                        if (objects.problems().isEmpty() || objects.isForbidden()) {
                            workload.ifPresent(
                                    kind -> objects.readWorkloads(around, kind, namespace));
                        }
                    });
        }

        private ClusterFiles read(FeatureGates gates, BiConsumer<Cluster, ClusterFiles> reader) {
            var cluster = new ClusterFiles(gates, Clock.systemUTC().instant());
            if (!problem.isEmpty()) {
                cluster.refuse(problem);
            }
            live.ifPresent(one -> reader.accept(one, cluster));
            if (cluster.problems().isEmpty()) {
                cluster.read(files, System.in);
            }
            return cluster;
        }

        @Override
        public void close() {
            live.ifPresent(Cluster::close);
        }
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
