package dev.berth.core.admission.validation;

import dev.berth.core.admission.field.FieldError;
import dev.berth.core.admission.field.FieldErrors;
import dev.berth.model.json.FieldPath;
import dev.berth.model.json.JsonObject;
import java.util.List;
import java.util.Optional;

/// Validates taints and tolerations.
final class TaintValidation {

    static final List<String> EFFECTS = List.of("NoExecute", "NoSchedule", "None");
    static final List<String> OPERATORS = List.of("Equal", "Exists");

    private TaintValidation() {}

    /// @param old the taint that this one replaces: an unknown effect may stay, because a newer
    ///   server may have accepted it
    static void taint(
            JsonObject taint, Optional<JsonObject> old, FieldPath path, FieldErrors problems) {
        problems.addAll(DeviceNameValidation.labelKey(taint.text("key"), path.child("key")));
        if (!taint.text("value").isEmpty()) {
            problems.addAll(
                    DeviceNameValidation.labelValue(taint.text("value"), path.child("value")));
        }
        var effect = taint.text("effect");
        if (old.isPresent() && old.get().text("effect").equals(effect)) {
            return;
        }
        if (effect.isEmpty()) {
            problems.covered(FieldError.required(path.child("effect")));
        } else if (!EFFECTS.contains(effect)) {
            problems.covered(FieldError.notSupported(path.child("effect"), effect, EFFECTS));
        }
    }

    static void tolerations(List<JsonObject> tolerations, FieldPath path, FieldErrors problems) {
        for (var i = 0; i < tolerations.size(); i++) {
            toleration(tolerations.get(i), path.index(i), problems);
        }
    }

    private static void toleration(JsonObject toleration, FieldPath path, FieldErrors problems) {
        if (!toleration.text("key").isEmpty()) {
            problems.allCovered(
                    DeviceNameValidation.labelKey(toleration.text("key"), path.child("key")));
        }
        var value = toleration.text("value");
        var operator = toleration.text("operator");
        switch (operator) {
            case "Exists" -> {
                if (!value.isEmpty()) {
                    problems.add(
                            FieldError.invalid(
                                    path.child("value"),
                                    value,
                                    "must be empty for operator `Exists`"));
                }
            }
            case "Equal" ->
                    problems.addAll(DeviceNameValidation.labelValue(value, path.child("value")));
            case "" -> problems.covered(FieldError.required(path.child("operator")));
            default ->
                    problems.covered(
                            FieldError.notSupported(path.child("operator"), operator, OPERATORS));
        }
        var effect = toleration.text("effect");
        if (!effect.isEmpty() && !EFFECTS.contains(effect)) {
            problems.covered(FieldError.notSupported(path.child("effect"), effect, EFFECTS));
        }
    }
}
