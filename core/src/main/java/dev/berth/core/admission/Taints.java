package dev.berth.core.admission;

import dev.berth.model.json.FieldPath;
import dev.berth.model.json.JsonObject;
import java.util.List;
import java.util.Optional;

/// The rules for taints and tolerations.
final class Taints {

    static final List<String> EFFECTS = List.of("NoExecute", "NoSchedule", "None");
    static final List<String> OPERATORS = List.of("Equal", "Exists");

    private Taints() {}

    /// @param old the taint that this one replaces: its effect may stay although it is unknown,
    ///   because a newer server may have accepted it
    static void taint(
            JsonObject taint, Optional<JsonObject> old, FieldPath path, Problems problems) {
        problems.addAll(Names.labelKey(taint.text("key"), path.child("key")));
        if (!taint.text("value").isEmpty()) {
            problems.addAll(Names.labelValue(taint.text("value"), path.child("value")));
        }
        var effect = taint.text("effect");
        if (old.isPresent() && old.get().text("effect").equals(effect)) {
            return;
        }
        if (effect.isEmpty()) {
            problems.covered(Problem.required(path.child("effect")));
        } else if (!EFFECTS.contains(effect)) {
            problems.covered(Problem.notSupported(path.child("effect"), effect, EFFECTS));
        }
    }

    static void tolerations(List<JsonObject> tolerations, FieldPath path, Problems problems) {
        for (var i = 0; i < tolerations.size(); i++) {
            toleration(tolerations.get(i), path.index(i), problems);
        }
    }

    private static void toleration(JsonObject toleration, FieldPath path, Problems problems) {
        if (!toleration.text("key").isEmpty()) {
            problems.allCovered(Names.labelKey(toleration.text("key"), path.child("key")));
        }
        var value = toleration.text("value");
        var operator = toleration.text("operator");
        switch (operator) {
            case "Exists" -> {
                if (!value.isEmpty()) {
                    problems.add(
                            Problem.invalid(
                                    path.child("value"),
                                    value,
                                    "must be empty for operator `Exists`"));
                }
            }
            case "Equal" -> problems.addAll(Names.labelValue(value, path.child("value")));
            case "" -> problems.covered(Problem.required(path.child("operator")));
            default ->
                    problems.covered(
                            Problem.notSupported(path.child("operator"), operator, OPERATORS));
        }
        var effect = toleration.text("effect");
        if (!effect.isEmpty() && !EFFECTS.contains(effect)) {
            problems.covered(Problem.notSupported(path.child("effect"), effect, EFFECTS));
        }
    }
}
