package dev.berth.server.kinds.check;

import dev.berth.core.admission.field.NameFormats;
import dev.berth.model.json.FieldPath;
import dev.berth.model.json.Json.JsonString;
import dev.berth.model.json.JsonObject;
import dev.berth.server.kinds.column.Columns;
import java.util.ArrayList;
import java.util.Optional;
import java.util.TreeMap;

/// Validates and prints label selectors in objects.
public final class SelectorChecks {

    private SelectorChecks() {}

    public static boolean isEmpty(JsonObject selector) {
        return selector.objectOrEmpty("matchLabels").isEmpty()
                && selector.items("matchExpressions").isEmpty();
    }

    public static void check(JsonObject selector, FieldPath path, ObjectChecks checks) {
        for (var label : selector.objectOrEmpty("matchLabels").members().entrySet()) {
            var at = path.child("matchLabels");
            checks.form(label.getKey(), at, NameFormats.labelKey(label.getKey()));
            var value = label.getValue() instanceof JsonString(var text) ? text : "";
            checks.form(value, at.key(label.getKey()), NameFormats.labelValue(value));
        }
        checks.each(selector, "matchExpressions", path, (one, at) -> requirement(one, at, checks));
    }

    private static void requirement(JsonObject one, FieldPath path, ObjectChecks checks) {
        var values = one.strings("values");
        switch (one.text("operator")) {
            case "In", "NotIn" -> {
                if (values.isEmpty()) {
                    checks.required(
                            path.child("values"),
                            "must be specified when `operator` is 'In' or 'NotIn'");
                }
            }
            case "Exists", "DoesNotExist" -> {
                if (!values.isEmpty()) {
                    checks.forbidden(
                            path.child("values"),
                            "may not be specified when `operator` is 'Exists' or 'DoesNotExist'");
                }
            }
            default ->
                    checks.invalid(
                            path.child("operator"),
                            one.text("operator"),
                            "not a valid selector operator");
        }
        checks.form(one.text("key"), path.child("key"), NameFormats.labelKey(one.text("key")));
        for (var i = 0; i < values.size(); i++) {
            checks.form(
                    values.get(i),
                    path.child("values").index(i),
                    NameFormats.labelValue(values.get(i)));
        }
    }

    /// The selector in the format of kubectl: `app=web,tier in (a,b)`.
    public static String text(Optional<JsonObject> selector) {
        if (selector.isEmpty()) {
            return Columns.NONE;
        }
        var parts = new TreeMap<String, String>();
        var labels = selector.get().objectOrEmpty("matchLabels");
        labels.names().forEach(key -> parts.put(key, key + "=" + labels.text(key)));
        for (var one : selector.get().objects("matchExpressions")) {
            var key = one.text("key");
            parts.merge(key, requirementText(one), (a, b) -> a + "," + b);
        }
        return Columns.orNone(String.join(",", parts.values()));
    }

    private static String requirementText(JsonObject one) {
        var key = one.text("key");
        var values = new ArrayList<>(one.strings("values"));
        values.sort(null);
        return switch (one.text("operator")) {
            case "In" -> key + " in (" + String.join(",", values) + ")";
            case "NotIn" -> key + " notin (" + String.join(",", values) + ")";
            case "DoesNotExist" -> "!" + key;
            default -> key;
        };
    }

    /// A map of labels, as in selectors of services: `a=b,c=d`.
    public static String labelsText(JsonObject labels) {
        var parts = new TreeMap<String, String>();
        labels.names().forEach(key -> parts.put(key, key + "=" + labels.text(key)));
        return Columns.orNone(String.join(",", parts.values()));
    }
}
