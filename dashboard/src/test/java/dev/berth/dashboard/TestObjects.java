package dev.berth.dashboard;

/// Objects of a small cluster, as YAML.
final class TestObjects {

    static final String CLUSTER =
            """
            apiVersion: v1
            kind: Node
            metadata: {name: node-1, labels: {example.com/rack: r1}}
            status: {allocatable: {pods: "10", cpu: "8", memory: 8Gi}}
            ---
            apiVersion: resource.k8s.io/v1
            kind: DeviceClass
            metadata: {name: gpu}
            spec: {selectors: [{cel: {expression: device.driver == "gpu.example.com"}}]}
            ---
            apiVersion: resource.k8s.io/v1
            kind: ResourceSlice
            metadata: {name: slice-1}
            spec:
              driver: gpu.example.com
              nodeName: node-1
              pool: {name: node-1, generation: 1, resourceSliceCount: 1}
              devices:
              - name: gpu-0
                attributes: {numaNode: {int: 0}, model: {string: fast}}
              - name: gpu-1
                attributes: {numaNode: {int: 1}, model: {string: slow}}
            """;

    private TestObjects() {}

    /// A pod on a node that uses a claim.
    static String pod(String name, String node, String claim) {
        return """
        apiVersion: v1
        kind: Pod
        metadata: {name: %s, namespace: ml, uid: uid-%s, creationTimestamp: "2026-01-01T00:00:00Z"}
        spec:
          nodeName: %s
          containers: [{name: main, image: busybox, resources: {claims: [{name: gpu}]}}]
          resourceClaims: [{name: gpu, resourceClaimName: %s}]
        status: {phase: %s}
        """
                .formatted(name, name, node, claim, node.isEmpty() ? "Pending" : "Running");
    }

    /// A claim for one GPU.
    static String claim(String name) {
        return """
        apiVersion: resource.k8s.io/v1
        kind: ResourceClaim
        metadata: {name: %s, namespace: ml, creationTimestamp: "2026-01-01T00:00:00Z"}
        spec:
          devices:
            requests:
            - name: gpu
              exactly: {deviceClassName: gpu, allocationMode: ExactCount, count: 1}
        """
                .formatted(name);
    }

    /// A claim with a device that a pod uses.
    static String allocated(String name, String device, String pod) {
        return claim(name)
                + """
                status:
                  allocation:
                    devices:
                      results:
                      - {request: gpu, driver: gpu.example.com, pool: node-1, device: %s}
                  reservedFor: [{resource: pods, name: %s, uid: uid-%s}]
                """
                        .formatted(device, pod, pod);
    }
}
