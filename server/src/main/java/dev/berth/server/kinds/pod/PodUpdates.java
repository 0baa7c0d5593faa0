package dev.berth.server.kinds.pod;

import dev.berth.core.admission.field.FieldError;
import dev.berth.core.admission.field.NameFormats;
import dev.berth.core.admission.field.SemanticEquality;
import dev.berth.core.admission.field.TreeEdits;
import dev.berth.model.json.FieldPath;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.server.kinds.check.ObjectChecks;
import java.util.ArrayList;
import java.util.List;

/// Validates updates of pods.
final class PodUpdates {

    private static final String FIXED =
            "pod updates may not change fields other than "
                    + "`spec.containers[*].image`,`spec.initContainers[*].image`,"
                    + "`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing "
                    + "tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 "
                    + "if it was previously negative)";

    private PodUpdates() {}

    static void check(JsonObject old, JsonObject pod, ObjectChecks checks) {
        var before = old.objectOrEmpty("spec");
        var after = pod.objectOrEmpty("spec");
        for (var list : List.of("containers", "initContainers")) {
            if (before.items(list).size() != after.items(list).size()) {
                checks.forbidden(
                        ObjectChecks.SPEC.child(list),
                        "pod updates may not add or remove containers");
                return;
            }
        }
        deadline(before, after, checks);
        tolerations(before, after, checks);
        gates(before, after, checks);
        if (!SemanticEquality.same(comparable(before), comparable(withOldValues(before, after)))) {
            checks.forbidden(ObjectChecks.SPEC, FIXED);
        }
    }

    /// The new spec with the old values of all mutable fields.
    private static JsonObject withOldValues(JsonObject before, JsonObject after) {
        var result = after;
        for (var list : List.of("containers", "initContainers")) {
            result = withOldImages(before, result, list);
        }
        for (var name : List.of("activeDeadlineSeconds", "tolerations", "schedulingGates")) {
            result = TreeEdits.copyMember(result, before, name);
        }
        var grace = before.number("terminationGracePeriodSeconds").orElse(0);
        if (grace < 0 && after.number("terminationGracePeriodSeconds").orElse(0) == 1) {
            result = TreeEdits.copyMember(result, before, "terminationGracePeriodSeconds");
        }
        return before.items("schedulingGates").isEmpty() ? result : gated(before, result);
    }

    private static JsonObject withOldImages(JsonObject before, JsonObject after, String list) {
        if (!after.has(list)) {
            return after;
        }
        var old = before.objects(list);
        var containers = new ArrayList<Json>();
        for (var container : after.objects(list)) {
            containers.add(TreeEdits.copyMember(container, old.get(containers.size()), "image"));
        }
        return after.with(list, Json.array(containers));
    }

    /// Node selector and affinity of a gated pod may be narrowed.
    private static JsonObject gated(JsonObject before, JsonObject after) {
        var result = after;
        var oldSelector = before.objectOrEmpty("nodeSelector");
        var selector = after.objectOrEmpty("nodeSelector");
        if (oldSelector.names().stream()
                .allMatch(key -> oldSelector.text(key).equals(selector.text(key)))) {
            result = TreeEdits.copyMember(result, before, "nodeSelector");
        }
        var required = "requiredDuringSchedulingIgnoredDuringExecution";
        if (!before.objectOrEmpty("affinity").objectOrEmpty("nodeAffinity").has(required)) {
            result = TreeEdits.copyMember(result, before, "affinity");
        }
        return result;
    }

    /// Absent and empty fields compare as equal.
    private static JsonObject comparable(JsonObject spec) {
        return spec.without("ephemeralContainers");
    }

    private static void deadline(JsonObject before, JsonObject after, ObjectChecks checks) {
        var old = before.number("activeDeadlineSeconds");
        var now = after.number("activeDeadlineSeconds");
        var path = ObjectChecks.SPEC.child("activeDeadlineSeconds");
        if (old.isEmpty()) {
            return;
        }
        if (now.isEmpty()) {
            checks.invalid(
                    path,
                    Json.JsonNull.INSTANCE,
                    "must not update from a positive integer to nil value");
        } else if (now.getAsLong() > old.getAsLong()) {
            checks.invalid(
                    path, Json.of(now.getAsLong()), "must be less than or equal to previous value");
        }
    }

    private static void tolerations(JsonObject before, JsonObject after, ObjectChecks checks) {
        var now = after.objects("tolerations").stream().map(PodUpdates::withoutSeconds).toList();
        for (var old : before.objects("tolerations")) {
            if (now.stream().noneMatch(one -> SemanticEquality.same(one, withoutSeconds(old)))) {
                checks.forbidden(
                        ObjectChecks.SPEC.child("tolerations"),
                        "existing toleration can not be modified except its tolerationSeconds");
                return;
            }
        }
    }

    private static JsonObject withoutSeconds(JsonObject toleration) {
        return toleration.without("tolerationSeconds");
    }

    private static void gates(JsonObject before, JsonObject after, ObjectChecks checks) {
        var known = before.objects("schedulingGates").stream().map(g -> g.text("name")).toList();
        checks.each(
                after,
                "schedulingGates",
                ObjectChecks.SPEC,
                (gate, at) -> {
                    if (!known.contains(gate.text("name"))) {
                        checks.forbidden(
                                at,
                                "only deletion is allowed, but found new scheduling gate '%s'"
                                        .formatted(gate.text("name")));
                    }
                });
    }

    static void checkStatus(
            JsonObject before, JsonObject after, JsonObject spec, ObjectChecks checks) {
        var nominated = after.text("nominatedNodeName");
        if (!nominated.isEmpty()) {
            checks.subdomain(nominated, ObjectChecks.STATUS.child("nominatedNodeName"));
        }
        if (!before.text("qosClass").isEmpty()
                && !before.text("qosClass").equals(after.text("qosClass"))) {
            checks.add(
                    FieldError.immutable(
                            ObjectChecks.STATUS.child("qosClass"),
                            Json.of(after.text("qosClass"))));
        }
        checks.each(
                after,
                "conditions",
                ObjectChecks.STATUS,
                (condition, at) ->
                        checks.form(
                                condition.text("type"),
                                at.child("type"),
                                NameFormats.labelKey(condition.text("type"))));
        if (spec.text("restartPolicy").equals("Always")) {
            return;
        }
        checkStaysTerminated(before, after, "containerStatuses", spec, checks);
        checkStaysTerminated(before, after, "initContainerStatuses", spec, checks);
    }

    /// Terminated containers without restart policy must stay terminated.
    private static void checkStaysTerminated(
            JsonObject before,
            JsonObject after,
            String list,
            JsonObject spec,
            ObjectChecks checks) {
        for (var old : before.objects(list)) {
            var terminated = old.objectOrEmpty("state").object("terminated");
            var mayRestart =
                    terminated.isEmpty()
                            || (spec.text("restartPolicy").equals("OnFailure")
                                    && terminated.get().number("exitCode").orElse(0) != 0)
                            || hasOwnPolicy(spec, old.text("name"));
            if (mayRestart) {
                continue;
            }
            checks.each(
                    after,
                    list,
                    ObjectChecks.STATUS,
                    (one, at) -> {
                        if (one.text("name").equals(old.text("name"))
                                && !one.objectOrEmpty("state").has("terminated")) {
                            restarted(at.child("state"), checks);
                        }
                    });
        }
    }

    private static boolean hasOwnPolicy(JsonObject spec, String name) {
        return List.of("initContainers", "containers").stream()
                .flatMap(list -> spec.objects(list).stream())
                .anyMatch(c -> c.text("name").equals(name) && !c.text("restartPolicy").isEmpty());
    }

    private static void restarted(FieldPath path, ObjectChecks checks) {
        checks.forbidden(path, "may not be transitioned to non-terminated state");
    }
}
