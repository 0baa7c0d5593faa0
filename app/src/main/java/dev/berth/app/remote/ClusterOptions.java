package dev.berth.app.remote;

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
            description = "How to reach the cluster (default: as kubectl does).")
    private Optional<Path> kubeconfig = Optional.empty();

    @Option(
            names = "--context",
            paramLabel = "NAME",
            description = "A context of the kubeconfig (default: its current one).")
    private Optional<String> context = Optional.empty();

    /// Whether somebody named a cluster, rather than leaving it to chance.
    public boolean isNamed() {
        return kubeconfig.isPresent() || context.isPresent();
    }

    public Access access() {
        return Access.find(Surroundings.system(), kubeconfig, context);
    }

    /// Connects by the options.
    ///
    /// @param manager under which name our writes are known
    public HttpCluster connect(CommandLine command, String manager) {
        var version = command.getCommandSpec().version();
        return new HttpCluster(
                access(), Settings.of(manager, version.length == 0 ? "unknown" : version[0]));
    }
}
