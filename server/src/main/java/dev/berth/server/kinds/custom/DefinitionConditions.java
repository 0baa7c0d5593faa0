package dev.berth.server.kinds.custom;

import dev.berth.core.text.GoText;
import dev.berth.model.condition.ConditionTrees;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.server.kinds.check.DefaultsFiller;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Instant;
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
    static JsonObject status(JsonObject definition, JsonObject before, Instant now) {
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

    private static List<JsonObject> conditions(
            JsonObject definition, boolean accepted, JsonObject before, Instant now) {
        var stored = before.objects("conditions");
        var desired = new ArrayList<JsonObject>();
        if (accepted) {
            desired.add(
                    ConditionTrees.update(
                            stored,
                            "NamesAccepted",
                            "True",
                            "NoConflicts",
                            "no conflicts found",
                            now));
            desired.add(
                    ConditionTrees.update(
                            stored,
                            "Established",
                            "True",
                            "InitialNamesAccepted",
                            "the initial names have been accepted",
                            now));
        } else {
            var group = definition.objectOrEmpty("spec").text("group");
            var why =
                    "group %s is built in; definitions can neither replace its kinds nor add to it"
                            .formatted(GoText.quote(group));
            desired.add(
                    ConditionTrees.update(
                            stored, "NamesAccepted", "False", "BuiltInGroup", why, now));
            desired.add(
                    ConditionTrees.update(
                            stored,
                            "Established",
                            "False",
                            "NotAccepted",
                            "not all names are accepted",
                            now));
        }
        approval(definition)
                .ifPresent(approval ->
                        desired.add(
                                ConditionTrees.update(
                                        stored,
                                        "KubernetesAPIApprovalPolicyConformant",
                                        approval.status,
                                        approval.reason,
                                        approval.message(annotation(definition)),
                                        now)));
        return ConditionTrees.withOthers(desired, stored);
    }
}
