package dev.berth.app.manifest;

import dev.berth.core.admission.Admission;
import dev.berth.core.admission.gate.FeatureGates;
import dev.berth.core.admission.validation.AdmissionKind;
import dev.berth.model.api.meta.KubernetesObject;
import dev.berth.model.codec.Codec;
import dev.berth.model.codec.Decoded;
import dev.berth.model.codec.Kinds;
import dev.berth.model.codec.UnknownFieldPolicy;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.schema.check.ObjectCheck;
import java.time.Instant;
import java.util.Optional;

/// Decodes trees to objects as an API server would store them, with defaults set and disabled
/// fields dropped. Fields set by the server, such as the status of a claim, are kept.
public final class ManifestAdmission {

    private final Admission admission;
    private final Instant now;
    private final Codec codec = new Codec();
    private final ObjectCheck check = new ObjectCheck(codec);

    public ManifestAdmission(FeatureGates gates, Instant now) {
        this.admission = new Admission(gates);
        this.now = now;
    }

    /// The object; empty when its kind has no record type.
    public Optional<Decoded<? extends KubernetesObject>> enter(JsonObject tree) {
        var kind = Kinds.byApiVersionAndKind(tree.text("apiVersion"), tree.text("kind"));
        if (kind.isEmpty()) {
            return Optional.empty();
        }
        var apiVersion = tree.text("apiVersion");
        var version = apiVersion.substring(apiVersion.indexOf('/') + 1);
        var checked = check.check(kind.get(), version, tree);
        if (!checked.isUsable()) {
            return Optional.of(new Decoded.Refused<>(checked.problems()));
        }
        var stored =
                AdmissionKind.named(tree.text("kind"))
                        .map(rules -> admitted(rules, checked.object()))
                        .orElse(checked.object());
        var typed =
                stored.with("apiVersion", Json.of(kind.get().apiVersion()))
                        .with("kind", Json.of(kind.get().name()));
        return Optional.of(codec.readTree(typed, UnknownFieldPolicy.LENIENT));
    }

    private JsonObject admitted(AdmissionKind kind, JsonObject object) {
        var admitted = admission.create(kind, object, now).object();
        return object.member("status")
                .map(status -> admitted.with("status", status))
                .orElse(admitted);
    }
}
