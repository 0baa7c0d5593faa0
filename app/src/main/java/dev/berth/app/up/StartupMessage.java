package dev.berth.app.up;

import dev.berth.app.running.ClusterRecord;
import dev.berth.app.running.DataDirectory;
import dev.berth.app.ui.ServedDashboard;
import java.io.PrintWriter;

/// Prints address, nodes and next commands when the cluster is up.
final class StartupMessage {

    private StartupMessage() {}

    /// Prints the message.
    ///
    /// @param context context written into the user's kubeconfig; empty for none
    static void print(ClusterRecord cluster, String context, boolean isDetached, PrintWriter out) {
        out.println("A cluster (Kubernetes 1.37) is up at " + cluster.server());
        for (var group : cluster.nodes()) {
            out.println(
                    "  %3d x %-14s %s"
                            .formatted(group.count(), group.profile(), group.description()));
        }
        cluster.realNode()
                .ifPresent(name ->
                        out.println(
                                "    1 x %-14s this machine: pods run as containers"
                                        .formatted(name)));
        out.println();
        out.println(
                context.isEmpty()
                        ? "Try:  export KUBECONFIG=" + cluster.kubeconfig()
                        : "Try:  kubectl config use-context " + context);
        out.println("      kubectl get nodes");
        out.println("      kubectl get resourceslices");
        out.println("      kubectl get deviceclasses");
        ServedDashboard.loginUri(cluster.directory())
                .ifPresent(uri -> {
                    out.println();
                    out.println("Dashboard: " + uri);
                    out.println("(for one login within a minute; `berth ui` prints another URL)");
                });
        out.println();
        var isUsual =
                cluster.directory().equals(DataDirectory.usual().toAbsolutePath().normalize());
        var where = isUsual ? "" : " --data-dir " + cluster.directory();
        out.println(
                isDetached
                        ? "`berth status%s` shows its state, `berth down%s` stops it."
                                .formatted(where, where)
                        : "Ctrl-C stops it. The next `berth up%s` continues with its objects."
                                .formatted(where));
        out.flush();
    }
}
