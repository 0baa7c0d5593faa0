package dev.berth.dashboard;

import dev.berth.client.Cluster;
import dev.berth.dashboard.http.DashboardServer;
import dev.berth.model.close.CloseStack;
import java.net.URI;

/// A running dashboard of one cluster.
public final class Dashboard implements AutoCloseable {

    private final CloseStack parts = new CloseStack();
    private final DashboardServer server;

    private Dashboard(Cluster cluster, DashboardOptions options) {
        var data = parts.push(DashboardData.start(cluster, options));
        this.server =
                parts.push(
                        DashboardServer.start(
                                data, options.port(), options.page(), options.clock()));
    }

    /// Watches the cluster and starts to listen. Closing the dashboard does not close the cluster.
    public static Dashboard start(Cluster cluster, DashboardOptions options) {
        return new Dashboard(cluster, options);
    }

    /// A URL with a new one-time token, valid for a minute.
    public URI loginUri() {
        return server.loginUri();
    }

    public int port() {
        return server.port();
    }

    /// The secret with which other commands of the user ask for a login URL.
    public String issuerSecret() {
        return server.issuerSecret();
    }

    @Override
    public void close() {
        parts.closeOrThrow("the dashboard did not stop");
    }
}
