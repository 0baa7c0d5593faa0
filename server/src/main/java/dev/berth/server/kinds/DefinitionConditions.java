package dev.berth.server.kinds;

import dev.berth.core.text.GoText;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Conditions of a CustomResourceDefinition: NamesAccepted, Established, and the API approval of
/// protected groups.
final class DefinitionConditions {

    /// Annotation that definitions in `*.k8s.io` and `*.kubernetes.io` must have.
    static final String APPROVAL = "api-approved.kubernetes.io";

    private static final String POLICY = "see https://github.com/kubernetes/enhancements/pull/1111";

    /// Result of the approval annotation of a protected group.
    enum Approval {
        MISSING("False", "MissingAnnotation"),
        INVALID("False", "InvalidAnnotation"),
        BYPASSED("False", "UnapprovedAnnotation"),
        APPROVED("True", "ApprovedAnnotation");

        private final String status;
        private final String reason;

        Approval(String status, String reason) {
            this.status = status;
            this.reason = reason;
        }

        String message(String annotation) {
            return switch (this) {
                case MISSING ->
                        "protected groups must have approval annotation \"%s\", %s"
                                .formatted(APPROVAL, POLICY);
                case INVALID ->
                        ("protected groups must have approval annotation \"%s\" with either a URL"
                                        + " or a reason starting with \"unapproved\", %s")
                                .formatted(APPROVAL, POLICY);
                case BYPASSED -> "not approved: " + GoText.quote(annotation);
                case APPROVED -> "approved in " + annotation;
            };
        }
    }

    private DefinitionConditions() {}

    /// Empty for groups outside of the protected domains, which need no approval.
    static Optional<Approval> approval(JsonObject definition) {
        var group = definition.objectOrEmpty("spec").text("group");
        if (!isProtected(group)) {
            return Optional.empty();
        }
        var annotation = annotation(definition);
        if (annotation.isEmpty()) {
            return Optional.of(Approval.MISSING);
        }
        if (annotation.startsWith("unapproved")) {
            return Optional.of(Approval.BYPASSED);
        }
        return Optional.of(isUrl(annotation) ? Approval.APPROVED : Approval.INVALID);
    }

    static String annotation(JsonObject definition) {
        return definition.objectOrEmpty("metadata").objectOrEmpty("annotations").text(APPROVAL);
    }

    private static boolean isProtected(String group) {
        return group.equals("k8s.io")
                || group.equals("kubernetes.io")
                || group.endsWith(".k8s.io")
                || group.endsWith(".kubernetes.io");
    }

    private static boolean isUrl(String text) {
        try {
            var uri = new URI(text);
            return uri.getScheme() != null && uri.getAuthority() != null;
        } catch (URISyntaxException _) {
            return false;
        }
    }

    /// The status that the server sets for a definition: conditions and accepted names.
    ///
    /// @param before status with conditions that are kept, with their times, where nothing changed
    static JsonObject status(JsonObject definition, JsonObject before, String now) {
        var spec = definition.objectOrEmpty("spec");
        var accepted = !BuiltInGroups.contains(spec.text("group"));
        var names =
                accepted
                        ? spec.objectOrEmpty("names")
                        : JsonObject.of("plural", Json.of("")).with("kind", Json.of(""));
        return DefaultsFiller.of(before)
                .set("conditions", Json.array(conditions(definition, accepted, before, now)))
                .set("acceptedNames", names)
                .done();
    }

    private static List<Json> conditions(
            JsonObject definition, boolean accepted, JsonObject before, String now) {
        var desired = new ArrayList<JsonObject>();
        if (accepted) {
            desired.add(condition("NamesAccepted", "True", "NoConflicts", "no conflicts found"));
            desired.add(
                    condition(
                            "Established",
                            "True",
                            "InitialNamesAccepted",
                            "the initial names have been accepted"));
        } else {
            var group = definition.objectOrEmpty("spec").text("group");
            var why =
                    "group %s is built in; definitions can neither replace its kinds nor add to it"
                            .formatted(GoText.quote(group));
            desired.add(condition("NamesAccepted", "False", "BuiltInGroup", why));
            desired.add(
                    condition("Established", "False", "NotAccepted", "not all names are accepted"));
        }
        approval(definition)
                .ifPresent(approval ->
                        desired.add(
                                condition(
                                        "KubernetesAPIApprovalPolicyConformant",
                                        approval.status,
                                        approval.reason,
                                        approval.message(annotation(definition)))));
        var stored = before.objects("conditions");
        var types = desired.stream().map(c -> c.text("type")).toList();
        var conditions = new ArrayList<Json>();
        for (var one : desired) {
            conditions.add(dated(one, stored, now));
        }
        stored.stream().filter(c -> !types.contains(c.text("type"))).forEach(conditions::add);
        return conditions;
    }

    private static JsonObject condition(String type, String status, String reason, String message) {
        return JsonObject.of("type", Json.of(type))
                .with("status", Json.of(status))
                .with("reason", Json.of(reason))
                .with("message", Json.of(message));
    }

    /// The condition with the time of its last transition.
    private static JsonObject dated(JsonObject condition, List<JsonObject> stored, String now) {
        var since =
                stored.stream()
                        .filter(c ->
                                c.text("type").equals(condition.text("type"))
                                        && c.text("status").equals(condition.text("status")))
                        .map(c -> c.text("lastTransitionTime"))
                        .findFirst()
                        .orElse(now);
        return JsonObject.of("type", Json.of(condition.text("type")))
                .with("status", Json.of(condition.text("status")))
                .with("lastTransitionTime", Json.of(since))
                .with("reason", Json.of(condition.text("reason")))
                .with("message", Json.of(condition.text("message")));
    }
}
