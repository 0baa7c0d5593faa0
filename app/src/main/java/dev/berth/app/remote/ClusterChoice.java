package dev.berth.app.remote;

import dev.berth.app.running.ClusterRecord;
import dev.berth.client.config.ClusterAccess;
import dev.berth.client.config.Kubeconfig;
import dev.berth.client.config.ProgramEnvironment;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// Which cluster a command uses: that of its options, that of `KUBECONFIG`, the running cluster of
/// the default data directory, that of `~/.kube/config`, that of the pod it runs in.
final class ClusterChoice {

    private ClusterChoice() {}

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
