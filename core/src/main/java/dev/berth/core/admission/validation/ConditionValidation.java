package dev.berth.core.admission.validation;

import dev.berth.core.admission.field.FieldError;
import dev.berth.core.admission.field.FieldErrors;
import dev.berth.core.admission.field.NameFormats;
import dev.berth.core.text.GoText;
import dev.berth.model.json.FieldPath;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import java.util.HashSet;
import java.util.List;

/// Validates conditions in a status.
public final class ConditionValidation {

    private static final int REASON_MAX = 1024;
    private static final int MESSAGE_MAX = 32 * 1024;
    private static final List<String> STATUSES = List.of("False", "True", "Unknown");

    private ConditionValidation() {}

    /// Validates every condition, also in lists that are too long.
    public static void check(List<JsonObject> conditions, FieldPath path, FieldErrors problems) {
        var types = new HashSet<String>();
        for (var i = 0; i < conditions.size(); i++) {
            var condition = conditions.get(i);
            var type = condition.text("type");
            if (!types.add(type)) {
                problems.add(FieldError.duplicate(path.index(i).child("type"), Json.of(type)));
            }
            condition(condition, path.index(i), problems);
        }
    }

    private static void condition(JsonObject condition, FieldPath path, FieldErrors problems) {
        problems.addAll(DeviceNameValidation.labelKey(condition.text("type"), path.child("type")));
        var status = condition.text("status");
        if (!STATUSES.contains(status)) {
            problems.add(FieldError.notSupported(path.child("status"), status, STATUSES));
        }
        var generation = condition.number("observedGeneration").orElse(0);
        if (generation < 0) {
            problems.add(
                    FieldError.invalid(
                            path.child("observedGeneration"),
                            Json.of(generation),
                            "must be greater than or equal to zero"));
        }
        if (condition.text("lastTransitionTime").isEmpty()) {
            problems.add(FieldError.required(path.child("lastTransitionTime")));
        }
        reason(condition.text("reason"), path.child("reason"), problems);
        if (GoText.bytes(condition.text("message")) > MESSAGE_MAX) {
            problems.add(FieldError.tooLong(path.child("message"), MESSAGE_MAX));
        }
    }

    private static void reason(String reason, FieldPath path, FieldErrors problems) {
        if (reason.isEmpty()) {
            problems.add(FieldError.required(path));
            return;
        }
        problems.addAll(FieldError.invalid(path, reason, NameFormats.conditionReason(reason)));
        if (GoText.bytes(reason) > REASON_MAX) {
            problems.add(FieldError.tooLong(path, REASON_MAX));
        }
    }
}
