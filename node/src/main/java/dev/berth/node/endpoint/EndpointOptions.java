package dev.berth.node.endpoint;

import dev.berth.model.certificate.NodeTrustNames;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.util.List;
import java.util.Set;

/// Configuration of the node's endpoint.
///
/// @param host the address to listen on, which must be one of the node's
/// @param port 0 for any free port
/// @param directory of its key and certificate
/// @param authorities CA certificates of clients: the cluster's
/// @param clients common names of authorized clients
public record EndpointOptions(
        String host,
        int port,
        Path directory,
        List<X509Certificate> authorities,
        Set<String> clients,
        Clock clock) {

    /// Client name of API servers that kubeadm sets up.
    private static final String KUBEADM_NAME = "kube-apiserver-kubelet-client";

    public EndpointOptions {
        authorities = List.copyOf(authorities);
        clients = Set.copyOf(clients);
    }

    /// Options that listen on loopback and authorize the API servers of the cluster only.
    public static EndpointOptions local(Path directory, List<X509Certificate> authorities) {
        return new EndpointOptions(
                "127.0.0.1",
                0,
                directory,
                authorities,
                Set.of(NodeTrustNames.SERVER_NAME, KUBEADM_NAME),
                Clock.systemUTC());
    }

    public EndpointOptions withAddress(String newHost, int newPort) {
        return new EndpointOptions(newHost, newPort, directory, authorities, clients, clock);
    }
}
