package dev.berth.node.door;

import dev.berth.model.certificate.NodeTrust;
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
public record DoorSettings(
        String host,
        int port,
        Path directory,
        List<X509Certificate> authorities,
        Set<String> clients,
        Clock clock) {

    /// What an API server made by kubeadm calls itself.
    private static final String KUBEADM_NAME = "kube-apiserver-kubelet-client";

    public DoorSettings {
        authorities = List.copyOf(authorities);
        clients = Set.copyOf(clients);
    }

    /// For this machine only, and for the servers of the cluster only.
    public static DoorSettings local(Path directory, List<X509Certificate> authorities) {
        return new DoorSettings(
                "127.0.0.1",
                0,
                directory,
                authorities,
                Set.of(NodeTrust.SERVER_NAME, KUBEADM_NAME),
                Clock.systemUTC());
    }

    public DoorSettings withAddress(String newHost, int newPort) {
        return new DoorSettings(newHost, newPort, directory, authorities, clients, clock);
    }
}
