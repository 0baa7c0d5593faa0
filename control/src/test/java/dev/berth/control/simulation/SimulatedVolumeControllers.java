package dev.berth.control.simulation;

import dev.berth.client.Request;
import dev.berth.client.ResourcePath;
import dev.berth.model.codec.Kinds;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;

/// The PersistentVolume controller and a provisioner: complete what the scheduler selected.
final class SimulatedVolumeControllers {

    private static final ResourcePath VOLUMES = ResourcePath.of(Kinds.PERSISTENT_VOLUME);
    private static final ResourcePath CLAIMS = ResourcePath.of(Kinds.PERSISTENT_VOLUME_CLAIM);
    private static final String SELECTED_NODE = "volume.kubernetes.io/selected-node";

    private final SimulationEnvironment environment;

    SimulatedVolumeControllers(SimulationEnvironment environment) {
        this.environment = environment;
    }

    /// Provisions and binds volumes; false when nothing was to do.
    boolean step() {
        var isBusy = false;
        for (var claim : environment.all(CLAIMS)) {
            if (claim.objectOrEmpty("spec").text("volumeName").isEmpty()) {
                isBusy |= provision(claim) || bind(claim);
            }
        }
        return isBusy;
    }

    private boolean provision(JsonObject claim) {
        var metadata = claim.objectOrEmpty("metadata");
        if (metadata.objectOrEmpty("annotations").text(SELECTED_NODE).isEmpty()) {
            return false;
        }
        var name = "pv-" + metadata.text("name");
        environment.send(
                Request.Create.of(
                        VOLUMES,
                        "",
                        YamlDocuments.one(
                                """
                                apiVersion: v1
                                kind: PersistentVolume
                                metadata: {name: %s}
                                spec:
                                  capacity: {storage: 1Gi}
                                  accessModes: [ReadWriteOnce]
                                  storageClassName: %s
                                  hostPath: {path: /data}
                                """
                                        .formatted(
                                                name,
                                                claim.objectOrEmpty("spec")
                                                        .text("storageClassName")))));
        complete(claim, name);
        return true;
    }

    private boolean bind(JsonObject claim) {
        var uid = claim.objectOrEmpty("metadata").text("uid");
        for (var volume : environment.all(VOLUMES)) {
            var owner = volume.objectOrEmpty("spec").objectOrEmpty("claimRef");
            if (owner.text("uid").equals(uid)) {
                complete(claim, volume.objectOrEmpty("metadata").text("name"));
                return true;
            }
        }
        return false;
    }

    private void complete(JsonObject claim, String volume) {
        var metadata = claim.objectOrEmpty("metadata");
        environment.trace.add("volume %s is bound".formatted(volume));
        var changed =
                JsonObject.of(
                                "metadata",
                                JsonObject.of(
                                        "annotations",
                                        JsonObject.of(
                                                "pv.kubernetes.io/bind-completed", Json.of("yes"))))
                        .with("spec", JsonObject.of("volumeName", Json.of(volume)));
        environment.send(
                new Request.Patch(
                        CLAIMS,
                        metadata.text("namespace"),
                        metadata.text("name"),
                        "",
                        Request.PatchType.MERGE,
                        changed));
    }
}
