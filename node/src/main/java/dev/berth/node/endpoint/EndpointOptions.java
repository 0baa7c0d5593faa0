package dev.berth.node.endpoint;

import dev.berth.model.certificate.NodeTrustNames;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.util.List;
import java.util.Set;

/// How a door is to be.
///
/// @param host the address to listen on, which must be one of the node's
/// @param port 0 for any that is free
/// @param directory where it keeps its key and certificate
/// @param authorities those who vouch for clients: the cluster's
/// @param clients the names of those who may come in
public record EndpointOptions(
        String host,
        int port,
        Path directory,
        List<X509Certificate> authorities,
        Set<String> clients,
        Clock clock) {

    /// What an API server made by kubeadm calls itself.
    private static final String KUBEADM_NAME = "kube-apiserver-kubelet-client";

    public EndpointOptions {
        authorities = List.copyOf(authorities);
        clients = Set.copyOf(clients);
    }

    /// For this machine only, and for the servers of the cluster only.
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
