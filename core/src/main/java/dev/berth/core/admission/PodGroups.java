package dev.berth.core.admission;

import dev.berth.model.json.FieldPath;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The rules for the claims of pod groups, and of the templates for them in workloads.
final class PodGroups {

    private static final int MAX_CLAIMS = 4;
    private static final List<String> REFERENCES =
            List.of("resourceClaimName", "resourceClaimTemplateName");

    private PodGroups() {}

    static void check(Kind kind, JsonObject object, Problems problems) {
        for (var entry : holders(kind, object).entrySet()) {
            var path = entry.getKey().child("resourceClaims");
            problems.set(
                    entry.getValue().objects("resourceClaims"),
                    MAX_CLAIMS,
                    path,
                    Problems.Cover.NOTHING,
                    (claim, at) -> claim(claim, at, problems),
                    claim -> Json.of(claim.text("name")));
        }
    }

    /// The objects that hold a list of claims, by their place.
    private static Map<FieldPath, JsonObject> holders(Kind kind, JsonObject object) {
        var holders = new LinkedHashMap<FieldPath, JsonObject>();
        var spec = object.objectOrEmpty("spec");
        if (kind == Kind.POD_GROUP) {
            holders.put(FieldPath.of("spec"), spec);
        } else {
            var templates = spec.objects("podGroupTemplates");
            for (var i = 0; i < templates.size(); i++) {
                holders.put(FieldPath.of("spec", "podGroupTemplates").index(i), templates.get(i));
            }
        }
        return holders;
    }

    private static void claim(JsonObject claim, FieldPath path, Problems problems) {
        var name = claim.text("name");
        problems.addAll(
                name.isEmpty()
                        ? List.of(Problem.required(path.child("name")))
                        : Names.label(name, path.child("name")));
        var set = REFERENCES.stream().filter(claim::has).toList();
        problems.addAll(Declared.exactlyOne(REFERENCES, set, path));
        for (var reference : set) {
            problems.addAll(Names.subdomain(claim.text(reference), path.child(reference)));
        }
    }

    static void checkUpdate(Kind kind, JsonObject old, JsonObject object, Problems problems) {
        var before = new ArrayList<>(holders(kind, old).values());
        var index = 0;
        for (var entry : holders(kind, object).entrySet()) {
            var oldHolder = index < before.size() ? before.get(index) : JsonObject.EMPTY;
            index++;
            if (!Semantics.sameMember("resourceClaims", oldHolder, entry.getValue())) {
                problems.add(
                        Problem.immutable(
                                entry.getKey().child("resourceClaims"),
                                new Json.JsonArray(entry.getValue().items("resourceClaims"))));
            }
        }
    }

    static void checkStatus(JsonObject object, Problems problems) {
        var path = FieldPath.of("status", "resourceClaimStatuses");
        problems.set(
                object.objectOrEmpty("status").objects("resourceClaimStatuses"),
                MAX_CLAIMS,
                path,
                Problems.Cover.NOTHING,
                (claim, at) -> {
                    problems.addAll(Names.label(claim.text("name"), at.child("name")));
                    claim.string("resourceClaimName")
                            .ifPresent(name ->
                                    problems.addAll(
                                            Names.subdomain(name, at.child("resourceClaimName"))));
                },
                claim -> Json.of(claim.text("name")));
    }
}
