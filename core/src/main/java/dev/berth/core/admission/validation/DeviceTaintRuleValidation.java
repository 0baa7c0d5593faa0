package dev.berth.core.admission.validation;

import dev.berth.core.admission.field.FieldError;
import dev.berth.core.admission.field.FieldErrors;
import dev.berth.model.json.FieldPath;
import dev.berth.model.json.JsonObject;
import java.util.Optional;

/// Validates DeviceTaintRules.
final class DeviceTaintRuleValidation {

    private static final int MAX_CONDITIONS = 8;
    private static final FieldPath PATH = FieldPath.of("spec");

    private DeviceTaintRuleValidation() {}

    static void check(Optional<JsonObject> old, JsonObject rule, FieldErrors problems) {
        var spec = rule.objectOrEmpty("spec");
        var selector = spec.objectOrEmpty("deviceSelector");
        var path = PATH.child("deviceSelector");
        selector.string("driver")
                .ifPresent(name ->
                        problems.addAll(DeviceNameValidation.driver(name, path.child("driver"))));
        selector.string("pool")
                .ifPresent(name ->
                        problems.addAll(DeviceNameValidation.pool(name, path.child("pool"))));
        selector.string("device")
                .ifPresent(name ->
                        problems.addAll(DeviceNameValidation.label(name, path.child("device"))));
        TaintValidation.taint(
                spec.objectOrEmpty("taint"),
                old.map(before -> before.objectOrEmpty("spec").objectOrEmpty("taint")),
                PATH.child("taint"),
                problems);
    }

    static void checkStatus(JsonObject rule, FieldErrors problems) {
        var path = FieldPath.of("status", "conditions");
        var conditions = rule.objectOrEmpty("status").objects("conditions");
        ConditionValidation.check(conditions, path, problems);
        if (conditions.size() > MAX_CONDITIONS) {
            problems.add(FieldError.tooMany(path, conditions.size(), MAX_CONDITIONS));
        }
    }
}
