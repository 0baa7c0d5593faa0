package dev.berth.app.ui;

import dev.berth.client.Cluster;
import dev.berth.dashboard.Dashboard;
import dev.berth.model.close.CloseStack;
import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;

/// The dashboard that the process of a cluster serves. Other commands find it by a private file in
/// the data directory.
public final class ServedDashboard implements AutoCloseable {

    private final CloseStack parts = new CloseStack();

    private ServedDashboard() {}

    /// Starts the dashboard on a free port.
    ///
    /// @param cluster closed with the dashboard
    /// @param directory data directory of the cluster
    public static ServedDashboard start(Cluster cluster, String server, Path directory) {
        var served = new ServedDashboard();
        served.parts.push(cluster);
        var options = DashboardSetup.options(cluster, "berth", server, "default", true, directory);
        var dashboard = served.parts.push(Dashboard.start(cluster, options));
        DashboardRecord.of(dashboard).write(directory);
        served.parts.push(() -> DashboardRecord.delete(directory));
        return served;
    }

    /// A URL with a new token for the dashboard of a running cluster; empty when it serves none.
    ///
    /// @param directory data directory of the cluster
    public static Optional<URI> loginUri(Path directory) {
        return DashboardRecord.read(directory).flatMap(DashboardRecord::loginUri);
    }

    @Override
    public void close() {
        parts.closeOrThrow("the dashboard did not stop");
    }
}
