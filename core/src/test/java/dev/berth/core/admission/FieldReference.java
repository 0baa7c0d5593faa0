package dev.berth.core.admission;

import dev.berth.model.json.Json;
import dev.berth.model.json.Json.JsonArray;
import dev.berth.model.json.Json.JsonNull;
import dev.berth.model.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/// A field path as in error messages, `spec.devices[0].attributes[model]`, to read and set values.
record FieldReference(List<String> steps) {

    private static final Pattern STEP = Pattern.compile("([^.\\[\\]]+)|\\[([^\\]]*)\\]");

    static FieldReference of(String text) {
        var steps = new ArrayList<String>();
        var matcher = STEP.matcher(text);
        while (matcher.find()) {
            steps.add(matcher.group(1) != null ? matcher.group(1) : matcher.group(2));
        }
        return new FieldReference(steps);
    }

    /// The value at the path, or empty.
    Optional<Json> in(Json value) {
        var found = Optional.of(value);
        for (var step : steps) {
            found = found.flatMap(inner -> child(inner, step));
        }
        return found;
    }

    private static Optional<Json> child(Json value, String step) {
        return switch (value) {
            case JsonObject object -> object.member(step);
            case JsonArray(var items) when Integer.parseInt(step) < items.size() ->
                    Optional.of(items.get(Integer.parseInt(step)));
            default -> Optional.empty();
        };
    }

    /// The value with a replacement at the path; `null` removes the field.
    Json set(Json value, Json replacement) {
        if (steps.isEmpty()) {
            return replacement;
        }
        var step = steps.getFirst();
        var rest = new FieldReference(steps.subList(1, steps.size()));
        var old = child(value, step).orElse(JsonObject.EMPTY);
        var changed = rest.set(old, replacement);
        return switch (value) {
            case JsonArray(var items) -> {
                var copy = new ArrayList<>(items);
                var index = Integer.parseInt(step);
                if (index == copy.size()) {
                    copy.add(changed);
                } else {
                    copy.set(index, changed);
                }
                yield new JsonArray(copy);
            }
            case JsonObject object when changed instanceof JsonNull -> object.without(step);
            case JsonObject object -> object.with(step, changed);
            default -> JsonObject.of(step, changed);
        };
    }
}
