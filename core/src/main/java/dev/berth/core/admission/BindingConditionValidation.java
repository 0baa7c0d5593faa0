package dev.berth.core.admission;

import dev.berth.model.json.FieldPath;
import dev.berth.model.json.Json;
import dev.berth.model.json.Json.JsonNull;
import dev.berth.model.json.JsonObject;
import java.util.HashSet;
import java.util.List;

/// The rules for binding conditions and for skipped node operations, which a device and its
/// allocation share.
final class BindingConditionValidation {

    static final int MAX = 4;
    private static final String WANTED = "bindingConditions";
    private static final String FATAL = "bindingFailureConditions";

    private BindingConditionValidation() {}

    static void check(JsonObject holder, FieldPath path, FieldErrors problems) {
        var wanted = holder.strings(WANTED);
        var fatal = holder.strings(FATAL);
        keys(wanted, path.child(WANTED), problems);
        keys(fatal, path.child(FATAL), problems);
        unique(wanted, path.child(WANTED), List.of(), problems);
        unique(fatal, path.child(FATAL), wanted, problems);
        if (wanted.isEmpty() && !fatal.isEmpty()) {
            problems.add(missing(path.child(WANTED), WANTED + " are required to use " + FATAL));
        }
        if (fatal.isEmpty() && !wanted.isEmpty()) {
            problems.add(missing(path.child(FATAL), FATAL + " are required to use " + WANTED));
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
                                FATAL + " must not overlap with " + WANTED));
            }
        }
    }

    private static FieldError missing(FieldPath path, String detail) {
        return FieldError.invalid(path, JsonNull.INSTANCE, detail);
    }

    /// A driver that is not asked to prepare must not be asked to unprepare either.
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
