package dev.berth.app.ui;

import dev.berth.app.cluster.LiveObjects;
import dev.berth.app.version.BuildVersion;
import dev.berth.client.Cluster;
import dev.berth.dashboard.ClusterIdentity;
import dev.berth.dashboard.DashboardOptions;
import java.nio.file.Path;
import java.time.Clock;
import java.util.UUID;

/// Options of the dashboard of a cluster.
public final class DashboardSetup {

    private static final int EPOCH_LENGTH = 8;

    private DashboardSetup() {}

    /// The options for a cluster.
    ///
    /// @param directory directory for the history
    public static DashboardOptions options(
            Cluster cluster,
            String name,
            String server,
            String namespace,
            boolean isBerth,
            Path directory) {
        var identity =
                new ClusterIdentity(
                        name,
                        server,
                        new LiveObjects(cluster).user().orElse(""),
                        namespace,
                        isBerth,
                        BuildVersion.current().number());
        var epoch = UUID.randomUUID().toString().substring(0, EPOCH_LENGTH);
        return DashboardOptions.of(identity, epoch, new LivePlanInput(cluster), Clock.systemUTC())
                .withHistory(directory.resolve("dashboard-history.jsonl"));
    }
}
