package dev.berth.app.remote;

import dev.berth.client.Cluster;
import dev.berth.client.Request;
import dev.berth.client.RequestResult;
import dev.berth.client.ResourcePath;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;

/// An annotation of the namespace `kube-system` in clusters whose nodes are simulated by `berth
/// up`. Node objects for simulation are created in such clusters only.
public final class SimulatorAnnotation {

    private static final ResourcePath NAMESPACES = new ResourcePath("", "v1", "namespaces");
    private static final String NAMESPACE = "kube-system";
    private static final String ANNOTATION = "sim.berth.dev/simulator";

    private SimulatorAnnotation() {}

    public static boolean isSet(Cluster cluster) {
        return cluster.send(new Request.Get(NAMESPACES, "", NAMESPACE))
                        instanceof RequestResult.Done(var namespace)
                && namespace.objectOrEmpty("metadata").objectOrEmpty("annotations").has(ANNOTATION);
    }

    public static void set(Cluster cluster) {
        var annotations = JsonObject.of(ANNOTATION, Json.of("berth up"));
        var outcome =
                cluster.send(
                        new Request.Patch(
                                NAMESPACES,
                                "",
                                NAMESPACE,
                                "",
                                Request.PatchType.MERGE,
                                JsonObject.of(
                                        "metadata", JsonObject.of("annotations", annotations))));
        if (!outcome.isDone()) {
            throw new IllegalStateException(
                    "cannot annotate the namespace %s: %s".formatted(NAMESPACE, outcome.message()));
        }
    }
}
