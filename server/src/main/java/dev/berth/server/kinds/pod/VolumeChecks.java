package dev.berth.server.kinds.pod;

import dev.berth.core.admission.field.FieldError;
import dev.berth.model.json.FieldPath;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.server.kinds.check.ObjectChecks;
import dev.berth.server.kinds.check.ResourceQuantities;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Validates the volumes of a pod.
final class VolumeChecks {

    private static final int MODE_MAX = 0777;
    private static final List<String> HOST_TYPES =
            List.of(
                    "",
                    "BlockDevice",
                    "CharDevice",
                    "Directory",
                    "DirectoryOrCreate",
                    "File",
                    "FileOrCreate",
                    "Socket");

    /// Required members by volume source.
    private static final Map<String, List<String>> REQUIRED =
            Map.of(
                    "hostPath", List.of("path"),
                    "secret", List.of("secretName"),
                    "configMap", List.of("name"),
                    "persistentVolumeClaim", List.of("claimName"),
                    "csi", List.of("driver"),
                    "nfs", List.of("server", "path"),
                    "iscsi", List.of("targetPortal", "iqn"),
                    "image", List.of("reference"));

    private VolumeChecks() {}

    /// Validates the volumes and returns their names.
    static Set<String> names(JsonObject spec, FieldPath path, ObjectChecks checks) {
        var names = new HashSet<String>();
        checks.each(
                spec,
                "volumes",
                path,
                (volume, at) -> {
                    var name = volume.text("name");
                    if (checks.text(volume, "name", at)) {
                        checks.label(name, at.child("name"));
                        if (!names.add(name)) {
                            checks.add(FieldError.duplicate(at.child("name"), Json.of(name)));
                        }
                    }
                    source(volume, at, checks);
                });
        return names;
    }

    private static void source(JsonObject volume, FieldPath path, ObjectChecks checks) {
        var sources = new ArrayList<>(volume.names());
        sources.remove("name");
        sources.removeIf(name -> !volume.has(name));
        if (sources.isEmpty()) {
            checks.required(path, "must specify a volume type");
            return;
        }
        for (var extra : sources.subList(1, sources.size())) {
            checks.forbidden(path.child(extra), "may not specify more than 1 volume type");
        }
        var type = sources.getFirst();
        var source = volume.objectOrEmpty(type);
        var at = path.child(type);
        for (var name : REQUIRED.getOrDefault(type, List.of())) {
            checks.text(source, name, at);
        }
        checks.between(source, "defaultMode", at, 0, MODE_MAX);
        switch (type) {
            case "hostPath" -> {
                checks.optionalOneOf(source, "type", at, HOST_TYPES);
                noParentReference(source.text("path"), at.child("path"), checks);
            }
            case "emptyDir" ->
                    ResourceQuantities.notNegative(
                            source, "sizeLimit", at.child("sizeLimit"), checks);
            case "projected" ->
                    checks.each(
                            source,
                            "sources",
                            at,
                            (one, place) -> {
                                var set = one.names().stream().filter(one::has).toList();
                                if (set.size() > 1) {
                                    checks.forbidden(
                                            place, "may not specify more than 1 volume type");
                                }
                            });
            case "ephemeral" -> {
                if (!source.has("volumeClaimTemplate")) {
                    checks.required(at.child("volumeClaimTemplate"), "");
                }
            }
            default -> items(source, at, checks);
        }
    }

    private static void items(JsonObject source, FieldPath path, ObjectChecks checks) {
        checks.each(
                source,
                "items",
                path,
                (item, at) -> {
                    if (!path.step().equals("downwardAPI")) {
                        checks.text(item, "key", at);
                    }
                    if (checks.text(item, "path", at)) {
                        insidePath(item.text("path"), at.child("path"), checks);
                    }
                    checks.between(item, "mode", at, 0, MODE_MAX);
                });
    }

    /// A relative path without `..`.
    static void insidePath(String value, FieldPath path, ObjectChecks checks) {
        if (value.startsWith("/")) {
            checks.invalid(path, value, "must be a relative path");
        }
        noParentReference(value, path, checks);
    }

    private static void noParentReference(String value, FieldPath path, ObjectChecks checks) {
        if (List.of(value.split("/", -1)).contains("..")) {
            checks.invalid(path, value, "must not contain '..'");
        }
    }
}
