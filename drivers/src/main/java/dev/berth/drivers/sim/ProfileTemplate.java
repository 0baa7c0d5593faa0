package dev.berth.drivers.sim;

import dev.berth.model.json.Json;
import dev.berth.model.json.Json.JsonArray;
import dev.berth.model.json.Json.JsonBool;
import dev.berth.model.json.Json.JsonNull;
import dev.berth.model.json.Json.JsonString;
import dev.berth.model.json.JsonNumber;
import dev.berth.model.json.JsonObject;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Expands `${expression}` in JSON trees.
///
/// - A text that is one expression becomes its value, be it a number, a list or a text; expressions
///   within a text become a part of it.
/// - A name with a range, `slice-${0..6}`, stands for as many members.
/// - An object with `count: n` stands for n objects, numbered by `i`. One with `for: {a: 3, b: [x,
///   y]}` stands for one object for each combination: a runs from 0 to 2, b over a list, and later
///   loops may use earlier names.
record ProfileTemplate(Map<String, Json> names) {

    private static final String RANGE = "..";
    private static final int MAX_REPEATS = 100_000;

    ProfileTemplate {
        names = Map.copyOf(names);
    }

    ProfileTemplate with(String name, Json value) {
        var more = new LinkedHashMap<>(names);
        more.put(name, value);
        return new ProfileTemplate(more);
    }

    /// With all members of an object as names, each of which may use those before it.
    ProfileTemplate withAll(JsonObject values) {
        var all = this;
        for (var entry : values.members().entrySet()) {
            all = all.with(entry.getKey(), all.expand(entry.getValue()));
        }
        return all;
    }

    /// All objects for which a list of templates stands.
    List<JsonObject> repeated(List<JsonObject> templates) {
        var all = new ArrayList<JsonObject>();
        for (var template : templates) {
            var loops = new LinkedHashMap<String, Json>();
            template.member("count").ifPresent(count -> loops.put("i", count));
            template.object("for").ifPresent(more -> loops.putAll(more.members()));
            var body = template.without("count").without("for");
            repeat(List.copyOf(loops.entrySet()), body, all);
        }
        return all;
    }

    private void repeat(
            List<Map.Entry<String, Json>> loops, JsonObject body, List<JsonObject> all) {
        if (loops.isEmpty()) {
            if (all.size() >= MAX_REPEATS) {
                throw new InvalidProfileException("more than " + MAX_REPEATS + " repetitions");
            }
            var let = withAll(body.objectOrEmpty("let"));
            all.add(let.object(body.without("let")));
            return;
        }
        var loop = loops.getFirst();
        for (var value : values(loop.getKey(), expand(loop.getValue()))) {
            with(loop.getKey(), value).repeat(loops.subList(1, loops.size()), body, all);
        }
    }

    private static List<Json> values(String name, Json loop) {
        if (loop instanceof JsonArray(var items)) {
            return items;
        }
        if (loop instanceof JsonNumber number && number.asLong().isPresent()) {
            var values = new ArrayList<Json>();
            var end = Math.min(number.asLong().getAsLong(), MAX_REPEATS);
            for (var i = 0; i < end; i++) {
                values.add(Json.of(i));
            }
            return values;
        }
        throw new InvalidProfileException(
                "loop " + name + " needs a number or a list, not " + loop.kindName());
    }

    JsonObject object(JsonObject object) {
        var members = new LinkedHashMap<String, Json>();
        for (var entry : object.members().entrySet()) {
            for (var name : keys(entry.getKey())) {
                members.put(name, expand(entry.getValue()));
            }
        }
        return new JsonObject(members);
    }

    private List<String> keys(String key) {
        var range = key.indexOf(RANGE);
        var start = key.lastIndexOf("${", Math.max(0, range));
        var end = key.indexOf('}', Math.max(0, start));
        if (start < 0 || range < start || range > end) {
            return List.of(text(key));
        }
        var from = TemplateExpression.number(key.substring(start + 2, range), names);
        var to = TemplateExpression.number(key.substring(range + RANGE.length(), end), names);
        var keys = new ArrayList<String>();
        for (var i = from; i <= to && keys.size() < MAX_REPEATS; i++) {
            keys.add(text(key.substring(0, start)) + i + text(key.substring(end + 1)));
        }
        return keys;
    }

    Json expand(Json value) {
        return switch (value) {
            case JsonString(var text) ->
                    isOneExpression(text) ? evaluate(text) : Json.of(text(text));
            case JsonObject object -> object(object);
            case JsonArray(var items) -> Json.array(items.stream().map(this::expand).toList());
            case JsonNumber _, JsonBool _, JsonNull _ -> value;
        };
    }

    private static boolean isOneExpression(String text) {
        return text.startsWith("${") && text.indexOf('}') == text.length() - 1;
    }

    private Json evaluate(String text) {
        return TemplateExpression.value(text.substring(2, text.length() - 1), names);
    }

    String text(String text) {
        var start = text.indexOf("${");
        if (start < 0) {
            return text;
        }
        var end = text.indexOf('}', start);
        if (end < 0) {
            throw new InvalidProfileException("\"" + text + "\": missing }");
        }
        var value = TemplateExpression.value(text.substring(start + 2, end), names);
        return text.substring(0, start)
                + TemplateExpression.text(value)
                + text(text.substring(end + 1));
    }
}
