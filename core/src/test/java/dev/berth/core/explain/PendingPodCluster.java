package dev.berth.core.explain;

import dev.berth.model.json.JsonObject;
import java.util.ArrayList;
import java.util.List;

/// The cluster of [PendingPodCase] without mistakes.
final class PendingPodCluster {

    private PendingPodCluster() {}

    /// The GPUs of a node.
    static JsonObject gpuSlice(String node) {
        return slice("gpu.nvidia.com", node, node, gpus());
    }

    static List<JsonObject> objects() {
        var objects = new ArrayList<JsonObject>();
        for (var node : List.of("h100-0", "h100-1")) {
            objects.add(node(node, "ssd"));
            objects.add(gpuSlice(node));
            objects.add(slice("nic.example.com", node, node + "-nic", nics()));
        }
        objects.add(node("mig-0", "ssd"));
        objects.add(migSlice());
        objects.add(counters());
        objects.add(node("cpu-0", "hdd"));
        objects.add(node("cpu-1", "hdd"));
        objects.add(deviceClass("gpu.nvidia.com", "gpu", "nvidia.com/gpu"));
        objects.add(deviceClass("mig.nvidia.com", "mig", ""));
        objects.add(
                PendingPodCase.yaml(
                        """
                        apiVersion: resource.k8s.io/v1
                        kind: DeviceClass
                        metadata: {name: nic.example.com}
                        spec:
                          selectors: [{cel: {expression: "device.driver == 'nic.example.com'"}}]
                        """));
        return objects;
    }

    private static JsonObject node(String name, String disk) {
        return PendingPodCase.yaml(
                """
                apiVersion: v1
                kind: Node
                metadata: {name: %s, labels: {disk: %s, kubernetes.io/os: linux}}
                spec: {}
                status: {allocatable: {cpu: "192", memory: 2Ti, pods: "110"}}
                """
                        .formatted(name, disk));
    }

    private static JsonObject deviceClass(String name, String type, String resource) {
        return PendingPodCase.yaml(
                """
                apiVersion: resource.k8s.io/v1
                kind: DeviceClass
                metadata: {name: %s}
                spec:
                  %s
                  selectors:
                  - cel:
                      expression: >-
                        device.driver == 'gpu.nvidia.com' &&
                        device.attributes['gpu.nvidia.com'].type == '%s'
                """
                        .formatted(
                                name,
                                resource.isEmpty() ? "" : "extendedResourceName: " + resource,
                                type));
    }

    private static String gpus() {
        var devices = new StringBuilder();
        for (var i = 0; i < 8; i++) {
            devices.append(
                    """
                    {name: gpu-%1$d, attributes: {type: {string: gpu}, index: {int: %1$d},
                     productName: {string: NVIDIA H100}, driverVersion: {version: 580.65.6},
                     resource.kubernetes.io/pcieRoot: {string: "pci0000:0%1$d"}},
                     capacity: {memory: {value: 80Gi}}},
                    """
                            .formatted(i));
        }
        return devices.toString();
    }

    private static String nics() {
        return """
        {name: nic-0, allowMultipleAllocations: true,
         attributes: {resource.kubernetes.io/pcieRoot: {string: "pci0000:00"}},
         capacity: {bandwidth: {value: 100G}}},
        """;
    }

    private static JsonObject slice(String driver, String node, String pool, String devices) {
        return PendingPodCase.yaml(
                """
                {apiVersion: resource.k8s.io/v1, kind: ResourceSlice, metadata: {name: %3$s-%1$s},
                 spec: {driver: %1$s, nodeName: %2$s,
                  pool: {name: %3$s, generation: 1, resourceSliceCount: 1}, devices: [%4$s]}}
                """
                        .formatted(driver, node, pool, devices));
    }

    /// One GPU that is published as two partitions of half its memory or seven small ones.
    private static JsonObject migSlice() {
        var devices = new StringBuilder();
        for (var i = 0; i < 2; i++) {
            devices.append(partition("gpu-0-3g-" + i, "3g.40gb", 4));
        }
        for (var i = 0; i < 4; i++) {
            devices.append(partition("gpu-0-1g-" + i, "1g.10gb", 1));
        }
        return slice("gpu.nvidia.com", "mig-0", "mig-0", devices.toString())
                .with(
                        "spec",
                        slice("gpu.nvidia.com", "mig-0", "mig-0", devices.toString())
                                .objectOrEmpty("spec")
                                .with(
                                        "pool",
                                        PendingPodCase.yaml(
                                                "{name: mig-0, generation: 1,"
                                                        + " resourceSliceCount: 2}")));
    }

    private static JsonObject counters() {
        return PendingPodCase.yaml(
                """
                apiVersion: resource.k8s.io/v1
                kind: ResourceSlice
                metadata: {name: mig-0-counters}
                spec:
                  driver: gpu.nvidia.com
                  nodeName: mig-0
                  pool: {name: mig-0, generation: 1, resourceSliceCount: 2}
                  sharedCounters: [{name: gpu-0, counters: {memory-slices: {value: "8"}}}]
                """);
    }

    private static String partition(String name, String profile, int slices) {
        return """
        {name: %s, attributes: {type: {string: mig}, profile: {string: %s}},
         capacity: {memory: {value: %dGi}},
         consumesCounters: [{counterSet: gpu-0, counters: {memory-slices: {value: "%d"}}}]},
        """
                .formatted(name, profile, slices * 10, slices);
    }
}
