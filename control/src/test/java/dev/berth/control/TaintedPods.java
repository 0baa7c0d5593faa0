package dev.berth.control;

import static dev.berth.control.ControlledCluster.PODS;

import dev.berth.client.ResourcePath;
import dev.berth.model.codec.Kinds;

/// Creates pods with devices that can be tainted.
final class TaintedPods {

    private static final ResourcePath CLAIMS = ResourcePath.of(Kinds.RESOURCE_CLAIM);

    private TaintedPods() {}

    /// Creates a bound pod with one device and these tolerations.
    static void running(ControlledCluster cluster, String name, String tolerations) {
        cluster.create(
                CLAIMS,
                "default",
                """
                apiVersion: resource.k8s.io/v1
                kind: ResourceClaim
                metadata: {name: %s}
                spec:
                  devices:
                    requests: [{name: gpu, exactly: {deviceClassName: gpu, tolerations: %s}}]
                """
                        .formatted(name, tolerations));
        var pod =
                cluster.create(
                        PODS,
                        "default",
                        """
                        apiVersion: v1
                        kind: Pod
                        metadata: {name: %s}
                        spec:
                          terminationGracePeriodSeconds: 1
                          resourceClaims: [{name: gpu, resourceClaimName: %s}]
                          containers:
                          - {name: main, image: x, resources: {claims: [{name: gpu}]}}
                        """
                                .formatted(name, name));
        var status =
                """
                status:
                  allocation:
                    devices:
                      results:
                      - {request: gpu, driver: d, pool: p, device: %s, tolerations: %s}
                  reservedFor: [{resource: pods, name: %s, uid: %s}]
                """
                        .formatted(
                                name, tolerations, name, pod.objectOrEmpty("metadata").text("uid"));
        cluster.patchStatus(
                CLAIMS, "default", name, ControlledCluster.tree(status).objectOrEmpty("status"));
        cluster.bind(name, "node-1");
    }

    static boolean isDeleting(ControlledCluster cluster, String pod) {
        return cluster.find(PODS, "default", pod)
                .map(one -> one.objectOrEmpty("metadata").has("deletionTimestamp"))
                .orElse(true);
    }
}
