package dev.berth.server.kinds.column;

import dev.berth.model.json.Json;
import dev.berth.model.json.Json.JsonArray;
import dev.berth.model.json.JsonObject;
import dev.berth.server.kinds.check.SelectorChecks;
import dev.berth.server.registry.TableColumn;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/// Template of a table cell with JSON paths in braces: `{.spec.kind}/{.spec.name} else <none>`.
/// [dev.berth.schema.SchemaReader] describes the filters of paths.
public final class CellTemplate {

    private static final String ELSE = " else ";

    /// Filters that produce text for absent values, too.
    private static final Set<String> ALWAYS = Set.of("age", "count");

    /// A part of the template.
    private sealed interface Part {

        record Literal(String text) implements Part {}

        record Value(JsonPath path, String filter, String argument) implements Part {}
    }

    private final List<Part> parts;
    private final String otherwise;

    private CellTemplate(List<Part> parts, String otherwise) {
        this.parts = List.copyOf(parts);
        this.otherwise = otherwise;
    }

    public static CellTemplate parse(String text) {
        var cut = text.lastIndexOf(ELSE);
        var body = cut < 0 ? text : text.substring(0, cut);
        var parts = new ArrayList<Part>();
        var at = 0;
        while (at < body.length()) {
            var open = body.indexOf('{', at);
            if (open != at) {
                parts.add(new Part.Literal(body.substring(at, open < 0 ? body.length() : open)));
            }
            if (open < 0) {
                break;
            }
            var close = body.indexOf('}', open);
            if (close < 0) {
                throw new IllegalArgumentException("no closing } in " + text);
            }
            parts.add(value(body.substring(open + 1, close)));
            at = close + 1;
        }
        return new CellTemplate(parts, cut < 0 ? "" : text.substring(cut + ELSE.length()));
    }

    private static Part value(String text) {
        var bar = text.indexOf('|');
        var path = bar < 0 ? text : text.substring(0, bar);
        var filter = bar < 0 ? "" : text.substring(bar + 1);
        var space = filter.indexOf(' ');
        return switch (JsonPath.parse(path)) {
            case JsonPath.Parsing.Parsed(var parsed) ->
                    new Part.Value(
                            parsed,
                            space < 0 ? filter : filter.substring(0, space),
                            space < 0 ? "" : filter.substring(space + 1));
            case JsonPath.Parsing.Malformed(var why) ->
                    throw new IllegalArgumentException(why + " in " + text);
        };
    }

    /// The cell as a value of the column's type.
    public TableColumn.Cell cell(String type) {
        return (object, now) -> {
            var text = text(object, now);
            return switch (type) {
                case "integer" -> Json.of(text.isEmpty() ? 0 : Long.parseLong(text));
                case "boolean" -> Json.of(text.equals("true"));
                default -> Json.of(text);
            };
        };
    }

    private String text(JsonObject object, Instant now) {
        var text = new StringBuilder();
        var found = false;
        for (var part : parts) {
            switch (part) {
                case Part.Literal(var literal) -> text.append(literal);
                case Part.Value value -> {
                    var values = value.path.find(object);
                    found |= !values.isEmpty() || ALWAYS.contains(value.filter);
                    text.append(filtered(value, values, now));
                }
            }
        }
        return found ? text.toString() : otherwise;
    }

    private static String filtered(Part.Value value, List<Json> values, Instant now) {
        var joined = values.stream().map(JsonPath::text).collect(Collectors.joining(","));
        var argument = value.argument;
        return switch (value.filter) {
            case "" -> joined;
            case "count" -> Integer.toString(count(values));
            case "age" -> HumanDuration.since(joined, now);
            case "selector" -> SelectorChecks.text(object(values));
            case "labels" -> object(values).map(SelectorChecks::labelsText).orElse("");
            case "first" -> first(Integer.parseInt(argument), values);
            case "condition" -> condition(argument, values);
            case "or" -> joined.isEmpty() ? argument : joined;
            case "prefix" -> joined.isEmpty() ? "" : argument + joined;
            case "then" -> values.isEmpty() ? "" : argument;
            case "when" -> when(argument, joined);
            default -> throw new IllegalArgumentException("unknown filter " + value.filter);
        };
    }

    private static Optional<JsonObject> object(List<Json> values) {
        return values.size() == 1 && values.getFirst() instanceof JsonObject object
                ? Optional.of(object)
                : Optional.empty();
    }

    private static int count(List<Json> values) {
        return values.stream().mapToInt(one -> one instanceof JsonArray a ? a.size() : 1).sum();
    }

    private static String first(int most, List<Json> values) {
        var shown =
                values.stream().limit(most).map(JsonPath::text).collect(Collectors.joining(","));
        return values.size() <= most
                ? shown
                : "%s + %d more...".formatted(shown, values.size() - most);
    }

    /// The status of a condition, and its reason unless it is true.
    private static String condition(String type, List<Json> values) {
        for (var value : values) {
            if (value instanceof JsonArray conditions) {
                for (var item : conditions.items()) {
                    if (item instanceof JsonObject one && one.text("type").equals(type)) {
                        var status = one.text("status");
                        return status.equals("True")
                                ? status
                                : "%s (%s)".formatted(status, one.text("reason"));
                    }
                }
            }
        }
        return "Unknown";
    }

    private static String when(String argument, String is) {
        var space = argument.indexOf(' ');
        return is.equals(argument.substring(0, space)) ? argument.substring(space + 1) : "";
    }
}
