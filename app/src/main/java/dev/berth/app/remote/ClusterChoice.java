package dev.berth.app.remote;

import dev.berth.app.running.ClusterRecord;
import dev.berth.client.config.ClusterAccess;
import dev.berth.client.config.Kubeconfig;
import dev.berth.client.config.ProgramEnvironment;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// The order in which a command looks for its cluster: options, `KUBECONFIG`, the running cluster
/// of the default data directory, `~/.kube/config`, the service account of the pod.
final class ClusterChoice {

    private ClusterChoice() {}

    /// Finds the cluster.
    ///
    /// @param directory the default data directory of `berth up`
    /// @throws dev.berth.client.config.ConfigException when there is no cluster
    static ClusterAccess find(
            ProgramEnvironment around,
            Optional<Path> kubeconfig,
            Optional<String> context,
            Path directory) {
        var isNamed =
                kubeconfig.isPresent()
                        || context.isPresent()
                        || !around.environment().getOrDefault("KUBECONFIG", "").isEmpty();
        var running = isNamed ? Optional.<ClusterRecord>empty() : ClusterRecord.running(directory);
        return running.map(cluster -> access(cluster, around))
                .orElseGet(() -> ClusterAccess.find(around, kubeconfig, context));
    }

    private static ClusterAccess access(ClusterRecord cluster, ProgramEnvironment around) {
        return Kubeconfig.read(List.of(cluster.kubeconfig()), around)
                .access(Optional.empty())
                .withOrigin("running cluster in " + cluster.directory());
    }
}
