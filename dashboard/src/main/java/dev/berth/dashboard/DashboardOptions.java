package dev.berth.dashboard;

import dev.berth.dashboard.http.DashboardServer;
import java.time.Clock;

/// Options of a dashboard.
///
/// @param port port of 127.0.0.1; 0 chooses a free one
/// @param page path of the files of the page in the class path
/// @param epoch distinguishes revisions of this process from those of others
public record DashboardOptions(
        ClusterIdentity identity, int port, String page, String epoch, Clock clock) {

    public static DashboardOptions of(
            ClusterIdentity identity, int port, String epoch, Clock clock) {
        return new DashboardOptions(identity, port, DashboardServer.PAGE, epoch, clock);
    }
}
