package dev.berth.core.explain;

import dev.berth.core.admission.Admission;
import dev.berth.core.admission.gate.FeatureGates;
import dev.berth.core.admission.validation.AdmissionKind;
import dev.berth.model.api.meta.KubernetesObject;
import dev.berth.model.codec.Codec;
import dev.berth.model.codec.UnknownFieldPolicy;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import java.time.Instant;
import java.util.Set;

/// Objects of test files as an API server stores them.
final class AdmittedObjects {

    private static final Set<String> NAMESPACED =
            Set.of("Pod", "PersistentVolumeClaim", "ResourceClaim", "ResourceClaimTemplate");

    private AdmittedObjects() {}

    /// The object after admission, with its status as written in the file.
    static KubernetesObject of(JsonObject tree) {
        var kind = tree.text("kind");
        var metadata = tree.objectOrEmpty("metadata");
        var named =
                NAMESPACED.contains(kind)
                        ? tree.with(
                                "metadata",
                                metadata.with(
                                        "namespace",
                                        Json.of(metadata.string("namespace").orElse("default"))))
                        : tree;
        var admission = new Admission(FeatureGates.all());
        var admitted =
                AdmissionKind.named(kind)
                        .map(rules -> admission.create(rules, named, Instant.EPOCH).object())
                        .orElse(named);
        var whole =
                named.member("status")
                        .map(status -> admitted.with("status", status))
                        .orElse(admitted)
                        .with("apiVersion", Json.of(tree.text("apiVersion")))
                        .with("kind", Json.of(kind));
        return new Codec()
                .readTree(deleting(whole, metadata), UnknownFieldPolicy.LENIENT)
                .orThrow();
    }

    /// A deletion timestamp is set after creation, like a status.
    private static JsonObject deleting(JsonObject object, JsonObject written) {
        return written.member("deletionTimestamp")
                .map(time ->
                        object.with(
                                "metadata",
                                object.objectOrEmpty("metadata").with("deletionTimestamp", time)))
                .orElse(object);
    }
}
