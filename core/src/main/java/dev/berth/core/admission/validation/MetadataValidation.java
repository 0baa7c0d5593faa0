package dev.berth.core.admission.validation;

import dev.berth.core.admission.field.FieldError;
import dev.berth.core.admission.field.FieldErrors;
import dev.berth.core.admission.field.NameFormats;
import dev.berth.core.admission.field.SemanticEquality;
import dev.berth.core.text.GoText;
import dev.berth.model.json.FieldPath;
import dev.berth.model.json.Json;
import dev.berth.model.json.Json.JsonNull;
import dev.berth.model.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;

/// Validates `metadata`. The rules are the same for every kind, except the format of the name.
public final class MetadataValidation {

    private static final FieldPath PATH = FieldPath.of("metadata");
    private static final FieldPath NAME = PATH.child("name");
    private static final FieldPath NAMESPACE = PATH.child("namespace");
    private static final FieldPath LABELS = PATH.child("labels");
    private static final FieldPath ANNOTATIONS = PATH.child("annotations");
    private static final FieldPath OWNERS = PATH.child("ownerReferences");
    private static final FieldPath MANAGED_FIELDS = PATH.child("managedFields");
    private static final FieldPath FINALIZERS = PATH.child("finalizers");

    /// Immutable metadata fields.
    private static final List<String> IMMUTABLE =
            List.of(
                    "name",
                    "namespace",
                    "uid",
                    "creationTimestamp",
                    "deletionTimestamp",
                    "deletionGracePeriodSeconds");

    private static final List<String> NEEDED_OF_OWNERS = List.of("kind", "name", "uid");
    private static final Set<String> OPERATIONS = Set.of("Apply", "Update");
    private static final Set<String> FIELDS_TYPES = Set.of("", "FieldsV1");
    private static final int ANNOTATIONS_MAX_BYTES = 256 * 1024;
    private static final String NAME_NEEDED = "name or generateName is required";
    private static final String ORPHAN = "orphan";
    private static final String FOREGROUND = "foregroundDeletion";
    private static final Set<String> STANDARD_FINALIZERS = Set.of("kubernetes", ORPHAN, FOREGROUND);

    private MetadataValidation() {}

    /// Validates the metadata of a new object, and of updates for kinds that validate it again.
    static void check(JsonObject object, AdmissionKind kind, FieldErrors problems) {
        if (kind == AdmissionKind.DEVICE_CLASS) {
            declaredName(object.objectOrEmpty("metadata"), problems);
        } else {
            name(object.objectOrEmpty("metadata"), NameFormats::subdomain, problems);
        }
        rest(object.objectOrEmpty("metadata"), kind.namespaced(), problems);
        checkFinalizerNames(object, problems);
    }

    /// Validates the metadata of kinds that have their rules elsewhere.
    ///
    /// @param nameForm the error messages for a name of the kind
    public static void check(
            JsonObject object,
            boolean namespaced,
            Function<String, List<String>> nameForm,
            FieldErrors problems) {
        name(object.objectOrEmpty("metadata"), nameForm, problems);
        rest(object.objectOrEmpty("metadata"), namespaced, problems);
    }

    private static void name(
            JsonObject metadata, Function<String, List<String>> nameForm, FieldErrors problems) {
        var prefix = metadata.text("generateName");
        if (!prefix.isEmpty()) {
            problems.addAll(
                    FieldError.invalid(
                            PATH.child("generateName"),
                            prefix,
                            nameForm.apply(withoutTrailingDash(prefix))));
        }
        var name = metadata.text("name");
        if (name.isEmpty()) {
            problems.add(FieldError.required(NAME, NAME_NEEDED));
        } else {
            problems.addAll(FieldError.invalid(NAME, name, nameForm.apply(name)));
        }
    }

    private static void declaredName(JsonObject metadata, FieldErrors problems) {
        var prefix = metadata.text("generateName");
        var name = metadata.text("name");
        if (!prefix.isEmpty() && name.isEmpty()) {
            problems.add(
                    FieldError.internal(
                            NAME,
                            "generateName was specified (%s), but no name was generated"
                                    .formatted(GoText.quote(prefix))));
        }
        if (name.isEmpty()) {
            problems.add(FieldError.required(NAME, NAME_NEEDED));
        } else {
            problems.allCovered(DeviceNameValidation.subdomain(name, NAME));
        }
    }

    private static void rest(JsonObject metadata, boolean namespaced, FieldErrors problems) {
        namespace(metadata, namespaced, problems);
        var generation = metadata.number("generation").orElse(0);
        if (generation < 0) {
            problems.add(
                    FieldError.invalid(
                            PATH.child("generation"),
                            Json.of(generation),
                            "must be greater than or equal to 0"));
        }
        common(metadata, problems);
        finalizers(metadata, FINALIZERS, problems);
    }

    /// A `generateName` prefix may end in a dash, since characters are appended.
    private static String withoutTrailingDash(String prefix) {
        return prefix.length() > 1 && prefix.endsWith("-")
                ? prefix.substring(0, prefix.length() - 2) + "a"
                : prefix;
    }

    private static void namespace(JsonObject metadata, boolean namespaced, FieldErrors problems) {
        var namespace = metadata.text("namespace");
        var path = NAMESPACE;
        if (!namespaced) {
            if (!namespace.isEmpty()) {
                problems.add(FieldError.forbidden(path, "not allowed on this type"));
            }
        } else if (namespace.isEmpty()) {
            problems.add(FieldError.required(path));
        } else {
            problems.addAll(DeviceNameValidation.label(namespace, path));
        }
    }

    private static void common(JsonObject metadata, FieldErrors problems) {
        labels(metadata, LABELS, problems);
        annotations(metadata, ANNOTATIONS, problems);
        owners(metadata, OWNERS, problems);
        managedFields(metadata, MANAGED_FIELDS, problems);
    }

    private static void labels(JsonObject metadata, FieldPath path, FieldErrors problems) {
        var labels = metadata.objectOrEmpty("labels");
        for (var at = 0; at < labels.size(); at++) {
            problems.addAll(DeviceNameValidation.labelKey(labels.nameAt(at), path));
            problems.addAll(DeviceNameValidation.labelValue(text(labels.valueAt(at)), path));
        }
    }

    private static void annotations(JsonObject metadata, FieldPath path, FieldErrors problems) {
        var bytes = 0;
        var annotations = metadata.objectOrEmpty("annotations");
        for (var at = 0; at < annotations.size(); at++) {
            var key = annotations.nameAt(at);
            problems.addAll(FieldError.invalid(path, key, NameFormats.annotationKey(key)));
            bytes += GoText.bytes(key) + GoText.bytes(text(annotations.valueAt(at)));
        }
        if (bytes > ANNOTATIONS_MAX_BYTES) {
            problems.add(FieldError.tooLong(path, ANNOTATIONS_MAX_BYTES));
        }
    }

    private static String text(Json value) {
        return value instanceof Json.JsonString(var text) ? text : "";
    }

    private static void owners(JsonObject metadata, FieldPath path, FieldErrors problems) {
        var controller = "";
        for (var owner : metadata.objects("ownerReferences")) {
            owner(owner, path, problems);
            if (!owner.flag("controller").orElse(false)) {
                continue;
            }
            var name = owner.text("kind") + "/" + owner.text("name");
            if (controller.isEmpty()) {
                controller = name;
            } else {
                problems.add(
                        FieldError.invalid(
                                path,
                                new Json.JsonArray(metadata.items("ownerReferences")),
                                ("Only one reference can have Controller set to true. Found "
                                                + "\"true\" in references for %s and %s")
                                        .formatted(controller, name)));
            }
        }
    }

    private static void owner(JsonObject owner, FieldPath path, FieldErrors problems) {
        var apiVersion = owner.text("apiVersion");
        if (apiVersion.substring(apiVersion.indexOf('/') + 1).isEmpty()) {
            problems.add(
                    FieldError.invalid(
                            path.child("apiVersion"), apiVersion, "version must not be empty"));
        }
        for (var name : NEEDED_OF_OWNERS) {
            if (owner.text(name).isEmpty()) {
                problems.add(FieldError.invalid(path.child(name), "", "must not be empty"));
            }
        }
        if (apiVersion.equals("v1") && owner.text("kind").equals("Event")) {
            problems.add(
                    FieldError.invalid(
                            path, owner, "/v1, Kind=Event is disallowed from being an owner"));
        }
    }

    private static void finalizers(JsonObject metadata, FieldPath path, FieldErrors problems) {
        var finalizers = metadata.strings("finalizers");
        for (var finalizer : finalizers) {
            problems.addAll(DeviceNameValidation.labelKey(finalizer, path));
        }
        if (finalizers.contains(ORPHAN) && finalizers.contains(FOREGROUND)) {
            problems.add(
                    FieldError.invalid(
                            path,
                            new Json.JsonArray(metadata.items("finalizers")),
                            "finalizer %s and %s cannot be both set"
                                    .formatted(ORPHAN, FOREGROUND)));
        }
    }

    /// Finalizers of built-in kinds must have a domain, except those that Kubernetes defines.
    /// Custom resources may have others.
    public static void checkFinalizerNames(JsonObject object, FieldErrors problems) {
        var finalizers = object.objectOrEmpty("metadata").strings("finalizers");
        for (var i = 0; i < finalizers.size(); i++) {
            var name = finalizers.get(i);
            if (!name.contains("/") && !STANDARD_FINALIZERS.contains(name)) {
                problems.add(
                        FieldError.invalid(
                                FINALIZERS.index(i),
                                name,
                                "name is neither a standard finalizer name nor is it fully"
                                        + " qualified"));
            }
        }
    }

    private static void managedFields(JsonObject metadata, FieldPath path, FieldErrors problems) {
        for (var entry : metadata.objects("managedFields")) {
            if (!OPERATIONS.contains(entry.text("operation"))) {
                problems.add(
                        FieldError.invalid(
                                path.child("operation"),
                                entry.text("operation"),
                                "must be `Apply` or `Update`"));
            }
            if (!FIELDS_TYPES.contains(entry.text("fieldsType"))) {
                problems.add(
                        FieldError.invalid(
                                path.child("fieldsType"),
                                entry.text("fieldsType"),
                                "must be `FieldsV1`"));
            }
        }
    }

    /// Validates an update against the old metadata.
    public static void checkUpdate(JsonObject old, JsonObject object, FieldErrors problems) {
        var before = old.objectOrEmpty("metadata");
        var after = object.objectOrEmpty("metadata");
        if (before.has("deletionTimestamp")) {
            noNewFinalizers(before, after, problems);
        }
        if (after.text("resourceVersion").isEmpty()) {
            problems.add(
                    FieldError.invalid(
                            PATH.child("resourceVersion"), "", "must be specified for an update"));
        }
        if (after.number("generation").orElse(0) < before.number("generation").orElse(0)) {
            problems.add(
                    FieldError.invalid(
                            PATH.child("generation"),
                            after.member("generation").orElse(Json.of(0)),
                            "must not be decremented"));
        }
        for (var name : IMMUTABLE) {
            if (!SemanticEquality.sameMember(name, before, after)) {
                problems.add(
                        FieldError.immutable(
                                PATH.child(name), after.member(name).orElse(JsonNull.INSTANCE)));
            }
        }
        common(after, problems);
    }

    private static void noNewFinalizers(JsonObject before, JsonObject after, FieldErrors problems) {
        var added = new TreeSet<>(after.strings("finalizers"));
        before.strings("finalizers").forEach(added::remove);
        if (!added.isEmpty()) {
            var list = new ArrayList<String>();
            added.forEach(name -> list.add(GoText.quote(name)));
            problems.add(
                    FieldError.forbidden(
                            PATH.child("finalizers"),
                            "no new finalizers can be added if the object is being deleted, found "
                                    + "new finalizers []string{"
                                    + String.join(", ", list)
                                    + "}"));
        }
    }

    /// Validates the metadata of a template: labels and annotations only.
    public static void checkTemplate(JsonObject metadata, FieldPath path, FieldErrors problems) {
        annotations(metadata, path.child("annotations"), problems);
        labels(metadata, path.child("labels"), problems);
        for (var member : metadata.members().entrySet()) {
            var name = member.getKey();
            if (!Set.of("labels", "annotations").contains(name)
                    && !SemanticEquality.isZero(member.getValue())) {
                problems.add(
                        FieldError.invalid(path.child(name), member.getValue(), "cannot be set"));
            }
        }
    }
}
