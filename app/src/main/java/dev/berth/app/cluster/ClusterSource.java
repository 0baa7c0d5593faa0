package dev.berth.app.cluster;

import dev.berth.app.remote.ClusterOptions;
import dev.berth.client.Cluster;
import dev.berth.client.config.ConfigException;
import dev.berth.core.admission.gate.FeatureGates;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
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
        try (var reader = open(command)) {
            var cluster = reader.read(gates);
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
            var cluster = new ClusterFiles(gates, Clock.systemUTC().instant());
            if (!problem.isEmpty()) {
                cluster.refuse(problem);
            }
            live.ifPresent(one -> cluster.read(new LiveObjects(one)));
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
