package dev.berth.server.kinds.column;

import dev.berth.model.json.Json;
import dev.berth.model.json.Json.JsonArray;
import dev.berth.model.json.Json.JsonBool;
import dev.berth.model.json.Json.JsonNull;
import dev.berth.model.json.Json.JsonString;
import dev.berth.model.json.JsonNumber;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.JsonWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/// JSON paths of printer columns of custom resources: `.spec.name`, `.items[0]`, `.items[*].name`,
/// `.metadata.labels['a.b/c']`, `.status.conditions[?(@.type=="Ready")].status`.
public final class JsonPath {

    /// One step of a path.
    private sealed interface Step {

        record Member(String name) implements Step {}

        /// @param position counted from the end if negative
        record Item(int position) implements Step {}

        record Every() implements Step {}

        /// Items whose member equals a value, or does not.
        record Where(List<String> path, boolean equal, String value) implements Step {}
    }

    /// Result of parsing a path.
    public sealed interface Parsing {

        record Parsed(JsonPath path) implements Parsing {}

        record Malformed(String why) implements Parsing {}
    }

    private static final Pattern INDEX = Pattern.compile("-?[0-9]{1,9}");
    private static final Pattern CONDITION =
            Pattern.compile(
                    "\\?\\(\\s*@\\.([\\w.-]+)\\s*(==|!=)\\s*(\"[^\"]*\"|'[^']*'|[\\w.-]+)\\s*\\)");

    private final List<Step> steps;

    private JsonPath(List<Step> steps) {
        this.steps = List.copyOf(steps);
    }

    public static Parsing parse(String text) {
        if (!text.startsWith(".") && !text.startsWith("[")) {
            return new Parsing.Malformed("a path starts with a dot: ." + text);
        }
        var steps = new ArrayList<Step>();
        var position = 0;
        while (position < text.length()) {
            var bracket = text.charAt(position) == '[';
            var start = bracket ? position : position + 1;
            if (!bracket && text.charAt(position) != '.') {
                return new Parsing.Malformed(
                        "unexpected \"%s\"".formatted(text.substring(position)));
            }
            if (start < text.length() && text.charAt(start) == '[') {
                var end = closing(text, start);
                var step =
                        end < 0
                                ? Optional.<Step>empty()
                                : inBrackets(text.substring(start + 1, end));
                if (step.isEmpty()) {
                    return new Parsing.Malformed(
                            "cannot read \"%s\"".formatted(text.substring(start)));
                }
                steps.add(step.get());
                position = end + 1;
                continue;
            }
            var name = name(text, start);
            if (name.isEmpty()) {
                return text.equals(".")
                        ? new Parsing.Parsed(new JsonPath(List.of()))
                        : new Parsing.Malformed("a name is missing in \"%s\"".formatted(text));
            }
            steps.add(
                    name.equals("*") ? new Step.Every() : new Step.Member(name.replace("\\", "")));
            position = start + name.length();
        }
        return new Parsing.Parsed(new JsonPath(steps));
    }

    /// The name that starts at a position; dots in it are escaped.
    private static String name(String text, int start) {
        var end = start;
        while (end < text.length() && text.charAt(end) != '.' && text.charAt(end) != '[') {
            end += text.charAt(end) == '\\' ? 2 : 1;
        }
        return text.substring(start, Math.min(end, text.length()));
    }

    private static int closing(String text, int start) {
        var quote = '\0';
        for (var i = start + 1; i < text.length(); i++) {
            var c = text.charAt(i);
            if (quote != '\0') {
                quote = c == quote ? '\0' : quote;
            } else if (c == '"' || c == '\'') {
                quote = c;
            } else if (c == ']') {
                return i;
            }
        }
        return -1;
    }

    private static Optional<Step> inBrackets(String text) {
        if (text.equals("*")) {
            return Optional.of(new Step.Every());
        }
        if (INDEX.matcher(text).matches()) {
            return Optional.of(new Step.Item(Integer.parseInt(text)));
        }
        if (text.length() > 2 && (isQuoted(text, '\'') || isQuoted(text, '"'))) {
            return Optional.of(
                    new Step.Member(text.substring(1, text.length() - 1).replace("\\", "")));
        }
        var condition = CONDITION.matcher(text);
        if (!condition.matches()) {
            return Optional.empty();
        }
        var value = condition.group(3);
        var quoted = isQuoted(value, '\'') || isQuoted(value, '"');
        return Optional.of(
                new Step.Where(
                        List.of(condition.group(1).split("\\.", -1)),
                        condition.group(2).equals("=="),
                        quoted ? value.substring(1, value.length() - 1) : value));
    }

    private static boolean isQuoted(String text, char quote) {
        return text.length() >= 2
                && text.charAt(0) == quote
                && text.charAt(text.length() - 1) == quote;
    }

    /// All values at the path.
    public List<Json> find(Json object) {
        var found = List.of(object);
        for (var step : steps) {
            var next = new ArrayList<Json>();
            found.forEach(value -> follow(value, step, next));
            found = next;
        }
        return found;
    }

    private static void follow(Json value, Step step, List<Json> next) {
        switch (step) {
            case Step.Member(var name) -> {
                if (value instanceof JsonObject object) {
                    object.member(name).ifPresent(next::add);
                }
            }
            case Step.Item(var position) -> {
                if (value instanceof JsonArray array) {
                    var index = position < 0 ? array.size() + position : position;
                    if (index >= 0 && index < array.size()) {
                        next.add(array.items().get(index));
                    }
                }
            }
            case Step.Every _ -> {
                if (value instanceof JsonArray array) {
                    next.addAll(array.items());
                } else if (value instanceof JsonObject object) {
                    next.addAll(object.members().values());
                }
            }
            case Step.Where(var path, var equal, var expected) -> {
                if (value instanceof JsonArray array) {
                    for (var item : array.items()) {
                        if (valueAt(item, path).filter(expected::equals).isPresent() == equal) {
                            next.add(item);
                        }
                    }
                }
            }
        }
    }

    private static Optional<String> valueAt(Json item, List<String> path) {
        var value = Optional.of(item);
        for (var name : path) {
            value =
                    value.flatMap(
                            v -> v instanceof JsonObject o ? o.member(name) : Optional.empty());
        }
        return value.map(JsonPath::text);
    }

    /// A value as shown in a column or compared by a selector.
    public static String text(Json value) {
        return switch (value) {
            case JsonString(var text) -> text;
            case JsonNumber(var literal) -> literal;
            case JsonBool(var flag) -> Boolean.toString(flag);
            case JsonNull _ -> "";
            case JsonArray _, JsonObject _ -> JsonWriter.compact(value);
        };
    }

    /// The number at the path, or zero.
    public long number(JsonObject object) {
        var found = find(object);
        return found.size() == 1 && found.getFirst() instanceof JsonNumber number
                ? number.asLong().orElse(0)
                : 0;
    }

    /// The object with a value set at the path; the path may contain only members.
    public JsonObject with(JsonObject object, Json value) {
        return with(object, steps, value);
    }

    private static JsonObject with(JsonObject object, List<Step> steps, Json value) {
        if (steps.isEmpty() || !(steps.getFirst() instanceof Step.Member(var name))) {
            return object;
        }
        return steps.size() == 1
                ? object.with(name, value)
                : object.with(
                        name,
                        with(object.objectOrEmpty(name), steps.subList(1, steps.size()), value));
    }
}
