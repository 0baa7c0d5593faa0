package dev.berth.core.snapshot;

import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.api.pod.Pod;
import dev.berth.model.api.storage.PersistentVolumeClaimSpec;
import dev.berth.model.codec.Codec;
import dev.berth.model.codec.Kinds;
import dev.berth.model.codec.UnknownFieldPolicy;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// The PersistentVolumeClaims of a pod: by name, and of generic ephemeral volumes.
public final class VolumeClaims {

    private VolumeClaims() {}

    /// A PersistentVolumeClaim of a pod.
    ///
    /// @param template the spec of a generic ephemeral volume
    public record Use(ObjectRef ref, Optional<PersistentVolumeClaimSpec> template) {}

    public static List<Use> of(Pod pod) {
        var uses = new ArrayList<Use>();
        var namespace = pod.metadata().namespace();
        for (var volume : pod.spec().volumes()) {
            var claim = volume.objectOrEmpty("persistentVolumeClaim").text("claimName");
            if (!claim.isEmpty()) {
                uses.add(new Use(new ObjectRef(namespace, claim), Optional.empty()));
            }
            volume.object("ephemeral")
                    .ifPresent(ephemeral -> {
                        var name = pod.metadata().name() + "-" + volume.text("name");
                        uses.add(
                                new Use(
                                        new ObjectRef(namespace, name),
                                        Optional.of(spec(ephemeral))));
                    });
        }
        return uses;
    }

    /// The names of the pod's PersistentVolumeClaims.
    static Set<ObjectRef> refs(Pod pod) {
        var refs = new LinkedHashSet<ObjectRef>();
        of(pod).forEach(use -> refs.add(use.ref()));
        return refs;
    }

    private static PersistentVolumeClaimSpec spec(JsonObject ephemeral) {
        var tree =
                JsonObject.of("apiVersion", Json.of("v1"))
                        .with("kind", Json.of("PersistentVolumeClaim"))
                        .with(
                                "spec",
                                ephemeral
                                        .objectOrEmpty("volumeClaimTemplate")
                                        .objectOrEmpty("spec"));
        return new Codec()
                .readTree(Kinds.PERSISTENT_VOLUME_CLAIM, tree, UnknownFieldPolicy.LENIENT)
                .orThrow()
                .spec();
    }
}
