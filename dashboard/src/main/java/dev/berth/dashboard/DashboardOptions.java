package dev.berth.dashboard;

import dev.berth.dashboard.http.DashboardServer;
import dev.berth.dashboard.whatif.PlanManifests;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Optional;

/// Options of a dashboard.
///
/// @param port port of 127.0.0.1; 0 chooses a free one
/// @param page path of the files of the page in the class path
/// @param epoch distinguishes revisions of this process from those of others
/// @param manifests reads manifests for plans
/// @param history file that keeps the history; empty to keep it in memory only
public record DashboardOptions(
        ClusterIdentity identity,
        int port,
        String page,
        String epoch,
        PlanManifests manifests,
        Optional<Path> history,
        Clock clock) {

    public static DashboardOptions of(
            ClusterIdentity identity, String epoch, PlanManifests manifests, Clock clock) {
        return new DashboardOptions(
                identity, 0, DashboardServer.PAGE, epoch, manifests, Optional.empty(), clock);
    }

    public DashboardOptions withPort(int newPort) {
        return new DashboardOptions(identity, newPort, page, epoch, manifests, history, clock);
    }

    /// With other files of the page.
    public DashboardOptions withPage(String newPage) {
        return new DashboardOptions(identity, port, newPage, epoch, manifests, history, clock);
    }

    /// With a file that keeps the history.
    public DashboardOptions withHistory(Path file) {
        return new DashboardOptions(
                identity, port, page, epoch, manifests, Optional.of(file), clock);
    }
}
