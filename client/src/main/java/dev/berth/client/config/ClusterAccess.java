package dev.berth.client.config;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// Address and client credentials of an API server.
///
/// @param serverName expected name in the server's certificate; empty for the host of the address
/// @param headers sent with every request, such as those of impersonation
/// @param namespace default namespace
/// @param origin the file or environment that this was read from, for messages
public record ClusterAccess(
        URI server,
        ServerTrust trust,
        String serverName,
        Optional<URI> proxy,
        ClientCredentials credentials,
        List<Header> headers,
        String namespace,
        String origin) {

    /// A request header.
    public record Header(String name, String value) {}

    public ClusterAccess {
        headers = List.copyOf(headers);
    }

    /// Finds a cluster in the order of kubectl: the named file, `KUBECONFIG`, `$HOME/.kube/config`,
    /// the service account of the current pod.
    ///
    /// @throws ConfigException when none is configured, or its configuration is invalid
    public static ClusterAccess find(
            ProgramEnvironment environment, Optional<Path> kubeconfig, Optional<String> context) {
        if (kubeconfig.isPresent()) {
            return Kubeconfig.read(List.of(kubeconfig.get()), environment).access(context);
        }
        var files = Kubeconfig.files(environment);
        if (files.stream().anyMatch(Files::exists)) {
            return Kubeconfig.read(files, environment).access(context);
        }
        return ServiceAccount.access(environment)
                .orElseThrow(() ->
                        new ConfigException(
                                ("no cluster: none of %s exists, and this process does not run in a"
                                                + " pod; start one with `berth up`, or"
                                                + " name a file with"
                                                + " --kubeconfig or KUBECONFIG")
                                        .formatted(files)));
    }

    /// A copy with another origin.
    public ClusterAccess withOrigin(String found) {
        return new ClusterAccess(
                server, trust, serverName, proxy, credentials, headers, namespace, found);
    }

    /// Address and origin, without credentials.
    @Override
    public String toString() {
        return server + " (" + origin + ")";
    }
}
