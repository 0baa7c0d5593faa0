package dev.berth.core.admission.validation;

import dev.berth.core.admission.field.FieldError;
import dev.berth.core.admission.field.FieldErrors;
import dev.berth.core.admission.field.NameFormats;
import dev.berth.core.admission.field.SemanticEquality;
import dev.berth.model.json.FieldPath;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/// Validates the DRA fields of a pod's spec. For the status see [PodStatusValidation].
public final class PodValidation {

    private static final String MIRROR_ANNOTATION = "kubernetes.io/config.mirror";
    private static final FieldPath SPEC = FieldPath.of("spec");

    private final FieldPath path;
    private final FieldErrors problems;

    private PodValidation(FieldPath path, FieldErrors problems) {
        this.path = path;
        this.problems = problems;
    }

    static void check(JsonObject pod, FieldErrors problems) {
        var spec = pod.objectOrEmpty("spec");
        var metadata = pod.objectOrEmpty("metadata");
        if (!spec.items("resourceClaims").isEmpty()
                && metadata.objectOrEmpty("annotations").has(MIRROR_ANNOTATION)) {
            problems.add(
                    FieldError.forbidden(
                            FieldPath.ROOT, "static pods do not support resource claims"));
        }
        new PodValidation(SPEC, problems).spec(spec, metadata.text("name"));
    }

    /// Validates the spec of a pod template, whose pod names are not known yet.
    public static void checkTemplate(JsonObject spec, FieldPath path, FieldErrors problems) {
        new PodValidation(path, problems).spec(spec, "");
    }

    private void spec(JsonObject spec, String podName) {
        var claims = spec.objects("resourceClaims");
        var names = new TreeSet<String>();
        for (var i = 0; i < claims.size(); i++) {
            claim(claims.get(i), podName, names, path.child("resourceClaims").index(i));
        }
        for (var list : List.of("initContainers", "containers")) {
            var containers = spec.objects(list);
            for (var i = 0; i < containers.size(); i++) {
                containerClaims(
                        containers.get(i).objectOrEmpty("resources").objects("claims"),
                        names,
                        path.child(list).index(i).child("resources").child("claims"));
            }
        }
        if (!spec.objectOrEmpty("resources").items("claims").isEmpty()) {
            problems.add(
                    FieldError.forbidden(
                            path.child("resources").child("claims"),
                            "claims cannot be set for Resources at pod-level"));
        }
    }

    private void claim(JsonObject claim, String podName, Set<String> names, FieldPath at) {
        var name = claim.text("name");
        var namePath = at.child("name");
        if (name.isEmpty()) {
            problems.add(FieldError.required(namePath));
        } else if (!names.add(name)) {
            problems.add(FieldError.duplicate(namePath, Json.of(name)));
        } else {
            var faults = DeviceNameValidation.label(name, namePath);
            problems.addAll(faults);
            if (faults.isEmpty() && claim.has("resourceClaimTemplateName") && !podName.isEmpty()) {
                generatedName(podName + "-" + name, namePath);
            }
        }
        reference(claim, at, problems);
    }

    /// The claim created from the template is named after the pod and the entry.
    private void generatedName(String name, FieldPath at) {
        for (var message : NameFormats.subdomain(name)) {
            problems.add(FieldError.invalid(at, name, "final ResourceClaim name: " + message));
        }
    }

    /// An entry must have either a claim name or a template name.
    private static void reference(JsonObject claim, FieldPath path, FieldErrors problems) {
        var direct = claim.string("resourceClaimName");
        var template = claim.string("resourceClaimTemplateName");
        if (direct.isPresent() && template.isPresent()) {
            problems.add(
                    FieldError.invalid(
                            path,
                            claim,
                            "at most one of `resourceClaimName` or `resourceClaimTemplateName` may "
                                    + "be specified"));
        }
        if (direct.isEmpty() && template.isEmpty()) {
            problems.add(
                    FieldError.invalid(
                            path,
                            claim,
                            "must specify one of: `resourceClaimName`, "
                                    + "`resourceClaimTemplateName`"));
        }
        direct.ifPresent(name ->
                problems.addAll(
                        DeviceNameValidation.subdomain(name, path.child("resourceClaimName"))));
        template.ifPresent(name ->
                problems.addAll(
                        DeviceNameValidation.subdomain(
                                name, path.child("resourceClaimTemplateName"))));
    }

    private void containerClaims(List<JsonObject> claims, Set<String> podClaims, FieldPath at) {
        var used = new HashSet<String>();
        for (var i = 0; i < claims.size(); i++) {
            var name = claims.get(i).text("name");
            if (name.isEmpty()) {
                problems.add(FieldError.required(at.index(i)));
                continue;
            }
            once(name, claims.get(i).text("request"), used, at.index(i));
            if (!podClaims.contains(name)) {
                var known = podClaims.isEmpty() ? " which is empty" : ": " + joined(podClaims);
                problems.add(
                        FieldError.notFound(
                                at.index(i),
                                name,
                                "must be one of the names in pod.spec.resourceClaims" + known));
            }
        }
    }

    private static String joined(Set<String> names) {
        return String.join(", ", new TreeSet<>(names));
    }

    /// A container uses a claim as a whole or some of its requests, each once.
    private void once(String name, String request, Set<String> used, FieldPath at) {
        if (used.contains(name)) {
            problems.add(FieldError.duplicate(at, Json.of(name)));
            return;
        }
        if (!request.isEmpty()) {
            problems.addAll(DeviceNameValidation.label(request, at.child("request")));
        }
        var key = request.isEmpty() ? name : name + "/" + request;
        if (used.contains(key)) {
            problems.add(FieldError.duplicate(at, Json.of(key)));
        } else if (request.isEmpty()) {
            used.stream()
                    .filter(other -> other.startsWith(name + "/"))
                    .forEach(_ -> problems.add(FieldError.duplicate(at, Json.of(name))));
        }
        used.add(key);
    }

    static void checkUpdate(JsonObject old, JsonObject pod, FieldErrors problems) {
        if (!SemanticEquality.sameMember(
                "resourceClaims", old.objectOrEmpty("spec"), pod.objectOrEmpty("spec"))) {
            problems.add(
                    FieldError.forbidden(
                            SPEC,
                            "pod updates may not change fields other than "
                                    + "`spec.containers[*].image`,`spec.initContainers[*].image`,"
                                    + "`spec.activeDeadlineSeconds`,`spec.tolerations` (only "
                                    + "additions to existing tolerations),"
                                    + "`spec.terminationGracePeriodSeconds` (allow it to be set to "
                                    + "1 if it was previously negative)"));
        }
    }
}
