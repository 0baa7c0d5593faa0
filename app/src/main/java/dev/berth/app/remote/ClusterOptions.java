package dev.berth.app.remote;

import dev.berth.app.running.ClusterRecord;
import dev.berth.app.running.DataDirectory;
import dev.berth.app.version.BuildVersion;
import dev.berth.client.config.ClusterAccess;
import dev.berth.client.config.ProgramEnvironment;
import dev.berth.client.http.ClientOptions;
import dev.berth.client.http.HttpCluster;
import dev.berth.metrics.MetricsRegistry;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/// Options for the cluster of a command: kubeconfig and context.
public final class ClusterOptions {

    @Option(
            names = "--kubeconfig",
            paramLabel = "FILE",
            description =
                    "Kubeconfig of the cluster (default: $KUBECONFIG, the running cluster of berth"
                            + " up, ~/.kube/config).")
    private Optional<Path> kubeconfig = Optional.empty();

    @Option(
            names = "--context",
            paramLabel = "NAME",
            description = "Context of the kubeconfig (default: its current context).")
    private Optional<String> context = Optional.empty();

    /// Whether an option names the cluster.
    public boolean isNamed() {
        return kubeconfig.isPresent() || context.isPresent();
    }

    /// The directory of the running cluster of `berth up` that the options mean; empty for other
    /// clusters.
    public Optional<Path> runningDirectory() {
        if (context.isPresent()) {
            return Optional.empty();
        }
        var variable = System.getenv().getOrDefault("KUBECONFIG", "");
        var file =
                kubeconfig.or(() ->
                        variable.isEmpty() ? Optional.empty() : Optional.of(Path.of(variable)));
        var directory =
                file.isEmpty()
                        ? Optional.of(DataDirectory.usual())
                        : file.map(one -> one.toAbsolutePath().normalize().getParent());
        return directory
                .flatMap(ClusterRecord::running)
                .filter(one ->
                        file.isEmpty()
                                || one.kubeconfig().equals(file.get().toAbsolutePath().normalize()))
                .map(ClusterRecord::directory);
    }

    public ClusterAccess access() {
        return ClusterChoice.find(
                ProgramEnvironment.system(), kubeconfig, context, DataDirectory.usual());
    }

    /// Connects to the cluster of the options and prints its name to stderr.
    ///
    /// @param manager field manager of writes
    public HttpCluster connect(CommandLine command, String manager) {
        return connect(command, settings(manager));
    }

    /// Connects for a command that runs until it is interrupted. It retries without limit, and
    /// prints to stderr why the server cannot be reached: at once, on change, and once a minute.
    public HttpCluster connectService(
            CommandLine command, String manager, MetricsRegistry metrics) {
        return connect(
                command,
                settings(manager).withProblems(line -> print(command, line)).withMetrics(metrics));
    }

    private HttpCluster connect(CommandLine command, ClientOptions settings) {
        var access = access();
        print(command, "using " + access);
        return new HttpCluster(access, settings);
    }

    private static ClientOptions settings(String manager) {
        return ClientOptions.of(manager, BuildVersion.current().number());
    }

    private static void print(CommandLine command, String line) {
        command.getErr().println("berth: " + line);
        command.getErr().flush();
    }
}
