package dev.berth.server.kinds.pod;

import dev.berth.core.admission.field.FieldError;
import dev.berth.core.admission.field.NameFormats;
import dev.berth.core.admission.validation.NodeSelectorValidation;
import dev.berth.model.json.FieldPath;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.server.kinds.check.ObjectChecks;
import dev.berth.server.kinds.check.SelectorChecks;
import java.util.HashSet;
import java.util.List;

/// Validates tolerations, affinity and topology spread constraints of pods.
public final class AffinityChecks {

    public static final List<String> EFFECTS =
            List.of("NoExecute", "NoSchedule", "PreferNoSchedule");
    private static final String REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution";
    private static final String PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution";
    private static final int WEIGHT_MAX = 100;

    private AffinityChecks() {}

    public static void tolerations(JsonObject spec, FieldPath path, ObjectChecks checks) {
        checks.each(spec, "tolerations", path, (one, at) -> toleration(one, at, checks));
    }

    private static void toleration(JsonObject one, FieldPath path, ObjectChecks checks) {
        var key = one.text("key");
        var operator = one.text("operator");
        if (!key.isEmpty()) {
            checks.form(key, path.child("key"), NameFormats.labelKey(key));
        } else if (!operator.equals("Exists")) {
            checks.invalid(
                    path.child("operator"),
                    operator,
                    "operator must be Exists when `key` is empty, which means \"match all values "
                            + "and all keys\"");
        }
        if (one.has("tolerationSeconds") && !one.text("effect").equals("NoExecute")) {
            checks.invalid(
                    path.child("effect"),
                    one.text("effect"),
                    "effect must be 'NoExecute' when `tolerationSeconds` is set");
        }
        switch (operator) {
            case "", "Equal" -> {
                if (!NameFormats.labelValue(one.text("value")).isEmpty()) {
                    checks.invalid(
                            path.child("operator"),
                            one.text("value"),
                            String.join(";", NameFormats.labelValue(one.text("value"))));
                }
            }
            case "Exists" -> {
                if (!one.text("value").isEmpty()) {
                    checks.invalid(
                            path.child("operator"),
                            one,
                            "value must be empty when `operator` is 'Exists'");
                }
            }
            default ->
                    checks.add(
                            FieldError.notSupported(
                                    path.child("operator"), operator, List.of("Equal", "Exists")));
        }
        if (!one.text("effect").isEmpty()) {
            checks.optionalOneOf(one, "effect", path, EFFECTS);
        }
    }

    static void affinity(JsonObject affinity, FieldPath path, ObjectChecks checks) {
        affinity.object("nodeAffinity")
                .ifPresent(one -> nodeAffinity(one, path.child("nodeAffinity"), checks));
        for (var name : List.of("podAffinity", "podAntiAffinity")) {
            affinity.object(name).ifPresent(one -> podAffinity(one, path.child(name), checks));
        }
    }

    private static void nodeAffinity(JsonObject affinity, FieldPath path, ObjectChecks checks) {
        affinity.object(REQUIRED)
                .ifPresent(one ->
                        NodeSelectorValidation.check(one, path.child(REQUIRED), checks.problems()));
        checks.each(
                affinity,
                PREFERRED,
                path,
                (one, at) -> {
                    weight(one, at, checks);
                    var asSelector =
                            JsonObject.of(
                                    "nodeSelectorTerms",
                                    Json.array(one.objectOrEmpty("preference")));
                    NodeSelectorValidation.check(
                            asSelector, at.child("preference"), checks.problems());
                });
    }

    private static void weight(JsonObject holder, FieldPath path, ObjectChecks checks) {
        var weight = holder.number("weight").orElse(0);
        if (weight < 1 || weight > WEIGHT_MAX) {
            checks.invalid(path.child("weight"), Json.of(weight), "must be in the range 1-100");
        }
    }

    private static void podAffinity(JsonObject affinity, FieldPath path, ObjectChecks checks) {
        checks.each(affinity, REQUIRED, path, (one, at) -> term(one, at, checks));
        checks.each(
                affinity,
                PREFERRED,
                path,
                (one, at) -> {
                    weight(one, at, checks);
                    term(one.objectOrEmpty("podAffinityTerm"), at.child("podAffinityTerm"), checks);
                });
    }

    private static void term(JsonObject term, FieldPath path, ObjectChecks checks) {
        for (var name : List.of("labelSelector", "namespaceSelector")) {
            term.object(name).ifPresent(s -> SelectorChecks.check(s, path.child(name), checks));
        }
        var namespaces = term.strings("namespaces");
        for (var i = 0; i < namespaces.size(); i++) {
            checks.label(namespaces.get(i), path.child("namespaces").index(i));
        }
        var key = term.text("topologyKey");
        if (key.isEmpty()) {
            checks.required(path.child("topologyKey"), "can not be empty");
        } else {
            checks.form(key, path.child("topologyKey"), NameFormats.labelKey(key));
        }
    }

    static void spread(JsonObject spec, FieldPath path, ObjectChecks checks) {
        var seen = new HashSet<String>();
        checks.each(
                spec,
                "topologySpreadConstraints",
                path,
                (one, at) -> {
                    var skew = one.number("maxSkew").orElse(0);
                    if (skew <= 0) {
                        checks.invalid(
                                at.child("maxSkew"), Json.of(skew), "must be greater than zero");
                    }
                    var key = one.text("topologyKey");
                    if (key.isEmpty()) {
                        checks.required(at.child("topologyKey"), "can not be empty");
                    }
                    checks.oneOf(
                            one,
                            "whenUnsatisfiable",
                            at,
                            List.of("DoNotSchedule", "ScheduleAnyway"));
                    var id = "{%s, %s}".formatted(key, one.text("whenUnsatisfiable"));
                    if (!seen.add(id)) {
                        checks.add(
                                FieldError.duplicate(
                                        at.child("{topologyKey, whenUnsatisfiable}"), Json.of(id)));
                    }
                    domains(one, at, checks);
                    for (var name : List.of("nodeAffinityPolicy", "nodeTaintsPolicy")) {
                        checks.optionalOneOf(one, name, at, List.of("Honor", "Ignore"));
                    }
                    one.object("labelSelector")
                            .ifPresent(s ->
                                    SelectorChecks.check(s, at.child("labelSelector"), checks));
                });
    }

    private static void domains(JsonObject constraint, FieldPath path, ObjectChecks checks) {
        var domains = constraint.number("minDomains");
        if (domains.isEmpty()) {
            return;
        }
        if (domains.getAsLong() <= 0) {
            checks.invalid(
                    path.child("minDomains"),
                    Json.of(domains.getAsLong()),
                    "must be greater than zero");
        }
        if (!constraint.text("whenUnsatisfiable").equals("DoNotSchedule")) {
            checks.invalid(
                    path.child("minDomains"),
                    Json.of(domains.getAsLong()),
                    "can only use minDomains if whenUnsatisfiable=DoNotSchedule, not "
                            + constraint.text("whenUnsatisfiable"));
        }
    }
}
