package dev.berth.app.remote;

import dev.berth.app.running.DataDirectory;
import dev.berth.app.version.BuildVersion;
import dev.berth.client.config.Access;
import dev.berth.client.config.Surroundings;
import dev.berth.client.http.HttpCluster;
import dev.berth.client.http.Settings;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/// Which cluster to work with, for every command that works with one.
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

    /// Whether somebody named a cluster, rather than leaving it to chance.
    public boolean isNamed() {
        return kubeconfig.isPresent() || context.isPresent();
    }

    public Access access() {
        return ClusterChoice.find(
                Surroundings.system(), kubeconfig, context, DataDirectory.usual());
    }

    /// Connects by the options, and prints to stderr which cluster that is.
    ///
    /// @param manager under which name our writes are known
    public HttpCluster connect(CommandLine command, String manager) {
        var access = access();
        command.getErr().println("berth: using " + access);
        command.getErr().flush();
        return new HttpCluster(access, Settings.of(manager, BuildVersion.current().number()));
    }
}
