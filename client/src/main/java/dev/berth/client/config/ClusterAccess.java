package dev.berth.client.config;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// How to reach a cluster, and as whom.
///
/// @param serverName what the server's certificate must say; empty for the host of the address
/// @param headers to send with every request, such as those that act for somebody else
/// @param namespace where things are when nothing else is said
/// @param origin where this was found, for messages
public record ClusterAccess(
        URI server,
        ServerTrust trust,
        String serverName,
        Optional<URI> proxy,
        ClientCredentials credentials,
        List<Header> headers,
        String namespace,
        String origin) {

    /// A line of every request.
    public record Header(String name, String value) {}

    public ClusterAccess {
        headers = List.copyOf(headers);
    }

    /// Finds the cluster as other programs do: the file that is named, `KUBECONFIG`, the file
    /// `.kube/config` at home, the service account of the pod that we run in.
    ///
    /// @throws ConfigException when there is none, or it is of no use
    public static ClusterAccess find(
            ProgramEnvironment around, Optional<Path> kubeconfig, Optional<String> context) {
        if (kubeconfig.isPresent()) {
            return Kubeconfig.read(List.of(kubeconfig.get()), around).access(context);
        }
        var files = Kubeconfig.files(around);
        if (files.stream().anyMatch(Files::exists)) {
            return Kubeconfig.read(files, around).access(context);
        }
        return ServiceAccount.access(around)
                .orElseThrow(() ->
                        new ConfigException(
                                ("no cluster: none of %s exists and this is no pod; start one"
                                                + " with `berth up`, or name a file with"
                                                + " --kubeconfig or KUBECONFIG")
                                        .formatted(files)));
    }

    /// The same, found elsewhere.
    public ClusterAccess withOrigin(String found) {
        return new ClusterAccess(
                server, trust, serverName, proxy, credentials, headers, namespace, found);
    }

    /// Where it is; never as whom.
    @Override
    public String toString() {
        return server + " (" + origin + ")";
    }
}
