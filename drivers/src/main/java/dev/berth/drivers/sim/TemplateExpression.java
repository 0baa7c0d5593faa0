package dev.berth.drivers.sim;

import dev.berth.model.json.Json;
import dev.berth.model.json.Json.JsonArray;
import dev.berth.model.json.Json.JsonBool;
import dev.berth.model.json.Json.JsonNull;
import dev.berth.model.json.Json.JsonString;
import dev.berth.model.json.JsonNumber;
import dev.berth.model.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/// Evaluates the expression between `${` and `}` in a profile: integers with `+ - * / %`, names,
/// members (`a.b`), items (`list[i]`), and the functions `hex(n, digits)`, `pad(n, digits)`,
/// `uuid(…)`.
///
/// Parses and evaluates in one pass, by recursive descent.
final class TemplateExpression {

    private final String text;
    private final Map<String, Json> names;
    private int at;

    private TemplateExpression(String text, Map<String, Json> names) {
        this.text = text;
        this.names = names;
    }

    static Json value(String text, Map<String, Json> names) {
        var expression = new TemplateExpression(text, names);
        var value = expression.sum();
        expression.skipBlanks();
        if (expression.at < text.length()) {
            throw expression.error("unexpected \"" + text.substring(expression.at) + "\"");
        }
        return value;
    }

    static long number(String text, Map<String, Json> names) {
        return new TemplateExpression(text, names).number(value(text, names));
    }

    private Json sum() {
        var left = product();
        while (true) {
            if (take('+')) {
                left = Json.of(number(left) + number(product()));
            } else if (take('-')) {
                left = Json.of(number(left) - number(product()));
            } else {
                return left;
            }
        }
    }

    private Json product() {
        var left = single();
        while (true) {
            if (take('*')) {
                left = Json.of(number(left) * number(single()));
            } else if (take('/')) {
                left = Json.of(number(left) / divisor());
            } else if (take('%')) {
                left = Json.of(number(left) % divisor());
            } else {
                return left;
            }
        }
    }

    private long divisor() {
        var divisor = number(single());
        if (divisor == 0) {
            throw error("division by zero");
        }
        return divisor;
    }

    private Json single() {
        if (take('(')) {
            var inner = sum();
            expect(')');
            return inner;
        }
        skipBlanks();
        if (at < text.length() && Character.isDigit(text.charAt(at))) {
            return new JsonNumber(word());
        }
        var name = word();
        if (name.isEmpty()) {
            throw error("expected a name or a number");
        }
        return take('(') ? call(name) : path(name);
    }

    private Json path(String name) {
        var value = names.get(name);
        if (value == null) {
            throw error("unknown name \"" + name + "\"");
        }
        while (true) {
            if (take('.')) {
                value = member(value, word());
            } else if (take('[')) {
                value = item(value, number(sum()));
                expect(']');
            } else {
                return value;
            }
        }
    }

    private Json member(Json value, String name) {
        if (value instanceof JsonObject object && object.has(name)) {
            return object.member(name).orElseThrow();
        }
        throw error("unknown member \"" + name + "\"");
    }

    private Json item(Json value, long index) {
        if (value instanceof JsonArray(var items) && index >= 0 && index < items.size()) {
            return items.get((int) index);
        }
        throw error("index " + index + " is out of range");
    }

    private Json call(String function) {
        var arguments = new ArrayList<Json>();
        do {
            arguments.add(sum());
        } while (take(','));
        expect(')');
        return switch (function) {
            case "hex" ->
                    Json.of(padded(Long.toHexString(number(arguments.getFirst())), arguments));
            case "pad" -> Json.of(padded(Long.toString(number(arguments.getFirst())), arguments));
            case "uuid" -> Json.of(uuid(arguments));
            default -> throw error("unknown function " + function);
        };
    }

    private String padded(String digits, List<Json> arguments) {
        var width = arguments.size() > 1 ? number(arguments.get(1)) : 0;
        return "0".repeat((int) Math.max(0, width - digits.length())) + digits;
    }

    /// Deterministic, so that a node keeps its IDs after a restart.
    private static String uuid(List<Json> arguments) {
        var name = String.join("/", arguments.stream().map(TemplateExpression::text).toList());
        return UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8)).toString();
    }

    /// A value as part of a string.
    static String text(Json value) {
        return switch (value) {
            case JsonString(var string) -> string;
            case JsonNumber(var literal) -> literal;
            case JsonBool(var flag) -> Boolean.toString(flag);
            case JsonNull _, JsonArray _, JsonObject _ ->
                    throw new InvalidProfileException(
                            value.kindName() + " cannot be part of a string");
        };
    }

    private long number(Json value) {
        if (value instanceof JsonNumber number && number.asLong().isPresent()) {
            return number.asLong().getAsLong();
        }
        throw error("expected an integer, not " + value.kindName());
    }

    private String word() {
        skipBlanks();
        var start = at;
        while (at < text.length() && Character.isJavaIdentifierPart(text.charAt(at))) {
            at++;
        }
        return text.substring(start, at);
    }

    private void expect(char expected) {
        if (!take(expected)) {
            throw error("expected \"" + expected + "\"");
        }
    }

    private boolean take(char expected) {
        skipBlanks();
        var isThere = at < text.length() && text.charAt(at) == expected;
        if (isThere) {
            at++;
        }
        return isThere;
    }

    private void skipBlanks() {
        while (at < text.length() && text.charAt(at) == ' ') {
            at++;
        }
    }

    private InvalidProfileException error(String why) {
        return new InvalidProfileException("${" + text + "}: " + why);
    }
}
