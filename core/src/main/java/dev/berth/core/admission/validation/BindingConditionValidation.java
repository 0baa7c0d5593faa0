package dev.berth.core.admission.validation;

import dev.berth.core.admission.field.FieldError;
import dev.berth.core.admission.field.FieldErrors;
import dev.berth.model.json.FieldPath;
import dev.berth.model.json.Json;
import dev.berth.model.json.Json.JsonNull;
import dev.berth.model.json.JsonObject;
import java.util.HashSet;
import java.util.List;

/// Validates binding conditions and `skipNodeOperations` of devices and of allocation results.
final class BindingConditionValidation {

    static final int MAX = 4;
    private static final String CONDITIONS = "bindingConditions";
    private static final String FAILURE_CONDITIONS = "bindingFailureConditions";

    private BindingConditionValidation() {}

    static void check(JsonObject holder, FieldPath path, FieldErrors problems) {
        var conditions = holder.strings(CONDITIONS);
        var failureConditions = holder.strings(FAILURE_CONDITIONS);
        keys(conditions, path.child(CONDITIONS), problems);
        keys(failureConditions, path.child(FAILURE_CONDITIONS), problems);
        unique(conditions, path.child(CONDITIONS), List.of(), problems);
        unique(failureConditions, path.child(FAILURE_CONDITIONS), conditions, problems);
        if (conditions.isEmpty() && !failureConditions.isEmpty()) {
            problems.add(
                    missing(
                            path.child(CONDITIONS),
                            CONDITIONS + " are required to use " + FAILURE_CONDITIONS));
        }
        if (failureConditions.isEmpty() && !conditions.isEmpty()) {
            problems.add(
                    missing(
                            path.child(FAILURE_CONDITIONS),
                            FAILURE_CONDITIONS + " are required to use " + CONDITIONS));
        }
    }

    private static void keys(List<String> conditions, FieldPath path, FieldErrors problems) {
        problems.list(
                conditions,
                MAX,
                path,
                FieldErrors.Cover.SIZE,
                (condition, at) -> problems.addAll(DeviceNameValidation.labelKey(condition, at)));
    }

    private static void unique(
            List<String> conditions, FieldPath path, List<String> others, FieldErrors problems) {
        var seen = new HashSet<String>();
        for (var i = 0; i < conditions.size(); i++) {
            var condition = conditions.get(i);
            if (!seen.add(condition)) {
                problems.add(FieldError.duplicate(path.index(i), Json.of(condition)));
            }
            if (others.contains(condition)) {
                problems.add(
                        FieldError.invalid(
                                path.index(i),
                                condition,
                                FAILURE_CONDITIONS + " must not overlap with " + CONDITIONS));
            }
        }
    }

    private static FieldError missing(FieldPath path, String detail) {
        return FieldError.invalid(path, JsonNull.INSTANCE, detail);
    }

    /// Skipping NodePrepareResources requires skipping NodeUnprepareResources.
    static void skippedOperations(JsonObject holder, FieldPath path, FieldErrors problems) {
        var skipped = holder.strings("skipNodeOperations");
        if (skipped.contains("NodePrepareResources")
                && !skipped.contains("NodeUnprepareResources")
                && !skipped.contains("*")) {
            problems.add(
                    FieldError.invalid(
                            path.child("skipNodeOperations"),
                            new Json.JsonArray(holder.items("skipNodeOperations")),
                            "NodePrepareResources cannot be skipped unless NodeUnprepareResources "
                                    + "is also skipped"));
        }
    }
}
