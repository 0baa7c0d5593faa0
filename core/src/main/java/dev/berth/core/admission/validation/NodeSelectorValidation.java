package dev.berth.core.admission.validation;

import dev.berth.core.admission.field.FieldError;
import dev.berth.core.admission.field.FieldErrors;
import dev.berth.model.json.FieldPath;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;

/// Validates node selectors, which devices share with pods.
public final class NodeSelectorValidation {

    private static final String NAME_FIELD = "metadata.name";
    private static final String BAD_OPERATOR = "not a valid selector operator";

    private NodeSelectorValidation() {}

    public static void check(JsonObject selector, FieldPath path, FieldErrors problems) {
        var termsPath = path.child("nodeSelectorTerms");
        var terms = selector.objects("nodeSelectorTerms");
        if (terms.isEmpty()) {
            problems.add(
                    FieldError.required(termsPath, "must have at least one node selector term"));
            return;
        }
        for (var i = 0; i < terms.size(); i++) {
            term(terms.get(i), termsPath.index(i), problems);
        }
    }

    private static void term(JsonObject term, FieldPath path, FieldErrors problems) {
        var expressions = term.objects("matchExpressions");
        for (var i = 0; i < expressions.size(); i++) {
            expression(expressions.get(i), path.child("matchExpressions").index(i), problems);
        }
        var fields = term.objects("matchFields");
        for (var i = 0; i < fields.size(); i++) {
            field(fields.get(i), path.child("matchFields").index(i), problems);
        }
    }

    private static void expression(JsonObject requirement, FieldPath path, FieldErrors problems) {
        var values = requirement.strings("values");
        var valuesPath = path.child("values");
        var operator = requirement.text("operator");
        switch (operator) {
            case "In", "NotIn" -> {
                if (values.isEmpty()) {
                    problems.add(
                            FieldError.required(
                                    valuesPath,
                                    "must be specified when `operator` is 'In' or 'NotIn'"));
                }
            }
            case "Exists", "DoesNotExist" -> {
                if (!values.isEmpty()) {
                    problems.add(
                            FieldError.forbidden(
                                    valuesPath,
                                    "may not be specified when `operator` is 'Exists' or "
                                            + "'DoesNotExist'"));
                }
            }
            case "Gt", "Lt" -> {
                if (values.size() != 1) {
                    problems.add(
                            FieldError.required(
                                    valuesPath,
                                    "must be specified single value when `operator` is 'Lt' or "
                                            + "'Gt'"));
                }
            }
            default ->
                    problems.add(
                            FieldError.invalid(path.child("operator"), operator, BAD_OPERATOR));
        }
        problems.addAll(DeviceNameValidation.labelKey(requirement.text("key"), path.child("key")));
        for (var i = 0; i < values.size(); i++) {
            problems.addAll(DeviceNameValidation.labelValue(values.get(i), valuesPath.index(i)));
        }
    }

    private static void field(JsonObject requirement, FieldPath path, FieldErrors problems) {
        var values = requirement.strings("values");
        var operator = requirement.text("operator");
        if (!operator.equals("In") && !operator.equals("NotIn")) {
            problems.add(FieldError.invalid(path.child("operator"), operator, BAD_OPERATOR));
        } else if (values.size() != 1) {
            problems.add(
                    FieldError.required(
                            path.child("values"),
                            "must be only one value when `operator` is 'In' or 'NotIn' for node "
                                    + "field selector"));
        }
        var key = requirement.text("key");
        if (!key.equals(NAME_FIELD)) {
            problems.add(
                    FieldError.invalid(path.child("key"), key, "not a valid field selector key"));
            return;
        }
        for (var i = 0; i < values.size(); i++) {
            problems.addAll(
                    DeviceNameValidation.subdomain(values.get(i), path.child("values").index(i)));
        }
    }

    /// Slices may have only one term, so that the selectors of several slices can be intersected.
    static void checkSingleTerm(JsonObject selector, FieldPath path, FieldErrors problems) {
        check(selector, path, problems);
        var terms = selector.items("nodeSelectorTerms");
        if (terms.size() != 1) {
            problems.add(
                    FieldError.invalid(
                            path.child("nodeSelectorTerms"),
                            new Json.JsonArray(terms),
                            "must have exactly one node selector term"));
        }
    }
}
