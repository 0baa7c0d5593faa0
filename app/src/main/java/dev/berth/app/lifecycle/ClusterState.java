package dev.berth.app.lifecycle;

import dev.berth.app.cluster.LiveObjects;
import dev.berth.app.running.ClusterRecord;
import dev.berth.client.config.ConfigException;
import dev.berth.client.config.Kubeconfig;
import dev.berth.client.config.ProgramEnvironment;
import dev.berth.client.http.ClientOptions;
import dev.berth.client.http.HttpCluster;
import dev.berth.model.api.claim.ResourceClaim;
import dev.berth.model.api.meta.KubernetesObject;
import dev.berth.model.api.node.Node;
import dev.berth.model.api.slice.DeviceId;
import dev.berth.model.api.slice.ResourceSlice;
import dev.berth.model.codec.Kind;
import dev.berth.model.codec.Kinds;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// Numbers of nodes, devices, claims and pods of a running cluster of this machine.
///
/// @param pods number of pods by phase
/// @param problem why the cluster could not be read; the numbers are 0 then
record ClusterState(
        ClusterRecord cluster,
        int nodes,
        int readyNodes,
        Map<String, Integer> pods,
        int devices,
        int devicesInUse,
        Optional<String> problem) {

    ClusterState {
        pods = Map.copyOf(pods);
    }

    static ClusterState read(ClusterRecord cluster) {
        try {
            var access =
                    Kubeconfig.read(List.of(cluster.kubeconfig()), ProgramEnvironment.system())
                            .access(Optional.empty());
            try (var http = new HttpCluster(access, ClientOptions.of("berth-status", "0"))) {
                return read(cluster, new LiveObjects(http));
            }
        } catch (ConfigException e) {
            return broken(cluster, String.valueOf(e.getMessage()));
        }
    }

    private static ClusterState broken(ClusterRecord cluster, String problem) {
        return new ClusterState(cluster, 0, 0, Map.of(), 0, 0, Optional.of(problem));
    }

    private static ClusterState read(ClusterRecord cluster, LiveObjects live) {
        try {
            var nodes = all(live, Kinds.NODE);
            var phases = new TreeMap<String, Integer>();
            for (var pod : all(live, Kinds.POD)) {
                phases.merge(pod.status().phase().text(), 1, Integer::sum);
            }
            return new ClusterState(
                    cluster,
                    nodes.size(),
                    (int) nodes.stream().filter(ClusterState::isReady).count(),
                    phases,
                    devices(all(live, Kinds.RESOURCE_SLICE)),
                    inUse(all(live, Kinds.RESOURCE_CLAIM)),
                    Optional.empty());
        } catch (ConfigException e) {
            return broken(cluster, String.valueOf(e.getMessage()));
        }
    }

    private static <T extends KubernetesObject> List<T> all(LiveObjects live, Kind<T> kind) {
        return live.all(kind).orThrow(ConfigException::new);
    }

    private static boolean isReady(Node node) {
        return node.status().conditions().stream()
                .anyMatch(one -> one.type().equals("Ready") && one.isTrue());
    }

    private static int devices(List<ResourceSlice> slices) {
        return slices.stream().mapToInt(slice -> slice.spec().devices().size()).sum();
    }

    private static int inUse(List<ResourceClaim> claims) {
        var devices = new HashSet<DeviceId>();
        for (var claim : claims) {
            claim.status()
                    .allocation()
                    .ifPresent(one -> one.devices().forEach(device -> devices.add(device.id())));
        }
        return devices.size();
    }

    /// True when all nodes are ready and their devices are published.
    boolean isReady() {
        return problem.isEmpty()
                && cluster.phase() == ClusterRecord.Phase.READY
                && readyNodes == nodes;
    }

    int pods(String phase) {
        return pods.getOrDefault(phase, 0);
    }
}
