package dev.berth.dashboard;

/// The cluster of a dashboard and its user, as the page names them.
///
/// @param name short name, such as the context of the kubeconfig
/// @param server address of the API server
/// @param user name by which the server knows the user; empty if it is unknown
/// @param namespace default namespace of the user
/// @param isBerth whether the API server is that of Berth
/// @param version version of Berth
public record ClusterIdentity(
        String name,
        String server,
        String user,
        String namespace,
        boolean isBerth,
        String version) {

    /// Whether a scheduler of Berth schedules pods with this scheduler name. On other clusters, the
    /// names of Berth's schedulers begin with `berth`.
    boolean schedules(String schedulerName) {
        return isBerth || schedulerName.startsWith("berth");
    }
}
