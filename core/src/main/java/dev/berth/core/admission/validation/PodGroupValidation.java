package dev.berth.core.admission.validation;

import dev.berth.core.admission.field.FieldError;
import dev.berth.core.admission.field.FieldErrors;
import dev.berth.core.admission.field.SemanticEquality;
import dev.berth.model.json.FieldPath;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Validates the claims of PodGroups, and of the pod group templates of Workloads.
final class PodGroupValidation {

    private static final int MAX_CLAIMS = 4;
    private static final List<String> REFERENCES =
            List.of("resourceClaimName", "resourceClaimTemplateName");

    private PodGroupValidation() {}

    static void check(AdmissionKind kind, JsonObject object, FieldErrors problems) {
        for (var entry : holders(kind, object).entrySet()) {
            var path = entry.getKey().child("resourceClaims");
            problems.set(
                    entry.getValue().objects("resourceClaims"),
                    MAX_CLAIMS,
                    path,
                    FieldErrors.Cover.NOTHING,
                    (claim, at) -> claim(claim, at, problems),
                    claim -> Json.of(claim.text("name")));
        }
    }

    /// The objects with a list of claims, by field path.
    private static Map<FieldPath, JsonObject> holders(AdmissionKind kind, JsonObject object) {
        var holders = new LinkedHashMap<FieldPath, JsonObject>();
        var spec = object.objectOrEmpty("spec");
        if (kind == AdmissionKind.POD_GROUP) {
            holders.put(FieldPath.of("spec"), spec);
        } else {
            var templates = spec.objects("podGroupTemplates");
            for (var i = 0; i < templates.size(); i++) {
                holders.put(FieldPath.of("spec", "podGroupTemplates").index(i), templates.get(i));
            }
        }
        return holders;
    }

    private static void claim(JsonObject claim, FieldPath path, FieldErrors problems) {
        var name = claim.text("name");
        problems.addAll(
                name.isEmpty()
                        ? List.of(FieldError.required(path.child("name")))
                        : DeviceNameValidation.label(name, path.child("name")));
        var set = REFERENCES.stream().filter(claim::has).toList();
        problems.addAll(DeclarativeValidation.exactlyOne(REFERENCES, set, path));
        for (var reference : set) {
            problems.addAll(
                    DeviceNameValidation.subdomain(claim.text(reference), path.child(reference)));
        }
    }

    static void checkUpdate(
            AdmissionKind kind, JsonObject old, JsonObject object, FieldErrors problems) {
        var before = new ArrayList<>(holders(kind, old).values());
        var index = 0;
        for (var entry : holders(kind, object).entrySet()) {
            var oldHolder = index < before.size() ? before.get(index) : JsonObject.EMPTY;
            index++;
            if (!SemanticEquality.sameMember("resourceClaims", oldHolder, entry.getValue())) {
                problems.add(
                        FieldError.immutable(
                                entry.getKey().child("resourceClaims"),
                                new Json.JsonArray(entry.getValue().items("resourceClaims"))));
            }
        }
    }

    static void checkStatus(JsonObject object, FieldErrors problems) {
        var path = FieldPath.of("status", "resourceClaimStatuses");
        problems.set(
                object.objectOrEmpty("status").objects("resourceClaimStatuses"),
                MAX_CLAIMS,
                path,
                FieldErrors.Cover.NOTHING,
                (claim, at) -> {
                    problems.addAll(
                            DeviceNameValidation.label(claim.text("name"), at.child("name")));
                    claim.string("resourceClaimName")
                            .ifPresent(name ->
                                    problems.addAll(
                                            DeviceNameValidation.subdomain(
                                                    name, at.child("resourceClaimName"))));
                },
                claim -> Json.of(claim.text("name")));
    }
}
