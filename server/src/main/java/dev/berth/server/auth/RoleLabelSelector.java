package dev.berth.server.auth;

import dev.berth.model.json.Json.JsonString;
import dev.berth.model.json.JsonObject;

/// Evaluates label selectors with `matchLabels` and `matchExpressions`.
final class RoleLabelSelector {

    private RoleLabelSelector() {}

    /// An empty selector matches everything.
    static boolean matches(JsonObject selector, JsonObject labels) {
        for (var label : selector.objectOrEmpty("matchLabels").members().entrySet()) {
            if (!(label.getValue() instanceof JsonString(var value))
                    || !labels.string(label.getKey()).filter(value::equals).isPresent()) {
                return false;
            }
        }
        for (var expression : selector.objects("matchExpressions")) {
            if (!holds(expression, labels)) {
                return false;
            }
        }
        return true;
    }

    private static boolean holds(JsonObject expression, JsonObject labels) {
        var value = labels.string(expression.text("key"));
        var values = expression.strings("values");
        return switch (expression.text("operator")) {
            case "In" -> value.filter(values::contains).isPresent();
            case "NotIn" -> value.filter(values::contains).isEmpty();
            case "Exists" -> value.isPresent();
            case "DoesNotExist" -> value.isEmpty();
            default -> false;
        };
    }
}
