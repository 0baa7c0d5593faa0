package dev.berth.model.json;

import dev.berth.model.json.Json.JsonArray;
import dev.berth.model.json.Json.JsonBool;
import dev.berth.model.json.Json.JsonNull;
import dev.berth.model.json.Json.JsonString;
import dev.berth.model.json.ParserLimits.BrokenText;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;

/// Parses JSON into a tree.
public final class JsonReader {

    private static final JsonFactories FACTORIES =
            JsonFactories.of(
                    JsonFactory.builder()
                            .streamReadConstraints(
                                    StreamReadConstraints.builder()
                                            .maxNestingDepth(ParserLimits.MAX_DEPTH)
                                            // Counted in bytes, up to four for a character.
                                            .maxNameLength(4 * ParserLimits.MAX_NAME)
                                            .maxStringLength(ParserLimits.MAX_STRING)
                                            .build()));

    private final JsonParser parser;
    private final boolean placed;
    private final List<FieldPath> duplicates = new ArrayList<>();
    private int values;

    private JsonReader(JsonParser parser, boolean placed) {
        this.parser = parser;
        this.placed = placed;
    }

    /// Parses one JSON value; trailing content except white space is an error.
    public static ParseResult read(byte[] text) {
        return read(text, true);
    }

    /// Parses without source positions, at a fraction of the cost: every value has the position of
    /// the start.
    public static ParseResult readUnplaced(byte[] text) {
        return read(text, false);
    }

    private static ParseResult read(byte[] text, boolean placed) {
        try {
            return document(FACTORIES.shared(), text, placed);
        } catch (JacksonException | IndexOutOfBoundsException e) {
            return JsonFactories.isOverflow(e) ? readPlain(text, placed) : malformed(e);
        } catch (BrokenText e) {
            return malformed(e);
        }
    }

    private static ParseResult readPlain(byte[] text, boolean placed) {
        try {
            return document(FACTORIES.plain(), text, placed);
        } catch (JacksonException | BrokenText e) {
            return malformed(e);
        }
    }

    private static ParseResult document(JsonFactory factory, byte[] text, boolean placed) {
        try (var parser = factory.createParser(ObjectReadContext.empty(), text)) {
            return new JsonReader(parser, placed).document();
        }
    }

    private static ParseResult malformed(RuntimeException failure) {
        return switch (failure) {
            case BrokenText e ->
                    new ParseResult.Malformed(String.valueOf(e.getMessage()), e.line, e.column);
            case JacksonException e -> {
                var at = e.getLocation();
                yield new ParseResult.Malformed(
                        e.getOriginalMessage(),
                        at == null ? 1 : Math.max(1, at.getLineNr()),
                        at == null ? 1 : Math.max(1, at.getColumnNr()));
            }
            default -> throw failure;
        };
    }

    public static ParseResult read(String text) {
        return read(text.getBytes(StandardCharsets.UTF_8));
    }

    private ParseResult document() {
        if (parser.nextToken() == null) {
            return new ParseResult.Malformed("the text is empty; expected a JSON value", 1, 1);
        }
        var root =
                placed ? value(FieldPath.ROOT) : new Located(plain(Step.ROOT), new SourceMap(1, 1));
        if (parser.nextToken() != null) {
            throw broken("unexpected text behind the JSON value");
        }
        return new ParseResult.Documents(
                List.of(new ParsedDocument(root.value, root.source, duplicates)));
    }

    private Located value(FieldPath path) {
        var at = parser.currentTokenLocation();
        var source = new SourceMap(at.getLineNr(), at.getColumnNr());
        if (++values > ParserLimits.MAX_VALUES) {
            throw broken("more than " + ParserLimits.MAX_VALUES + " values in one text");
        }
        var token = parser.currentToken();
        return switch (token) {
            case START_OBJECT -> object(path, source);
            case START_ARRAY -> array(path, source);
            case VALUE_STRING -> new Located(new JsonString(parser.getString()), source);
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT ->
                    new Located(new JsonNumber(parser.getString()), source);
            case VALUE_TRUE -> new Located(new JsonBool(true), source);
            case VALUE_FALSE -> new Located(new JsonBool(false), source);
            case VALUE_NULL -> new Located(JsonNull.INSTANCE, source);
            case NOT_AVAILABLE, END_OBJECT, END_ARRAY, PROPERTY_NAME, VALUE_EMBEDDED_OBJECT ->
                    throw broken("unexpected " + token);
        };
    }

    private Located object(FieldPath path, SourceMap source) {
        var members = new LinkedHashMap<String, Json>();
        while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
            var name = parser.currentName();
            parser.nextToken();
            var member = value(path.child(name));
            if (members.put(name, member.value) != null) {
                duplicates.add(path.child(name));
            }
            source.put(name, member.source);
        }
        return new Located(new JsonObject(members), source);
    }

    private Located array(FieldPath path, SourceMap source) {
        var items = new ArrayList<Json>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            var position = items.size();
            var item = value(path.index(position));
            items.add(item.value);
            source.put(Integer.toString(position), item.source);
        }
        return new Located(new JsonArray(items), source);
    }

    private Json plain(Step step) {
        if (++values > ParserLimits.MAX_VALUES) {
            throw broken("more than " + ParserLimits.MAX_VALUES + " values in one text");
        }
        var token = parser.currentToken();
        return switch (token) {
            case START_OBJECT -> plainObject(step);
            case START_ARRAY -> plainArray(step);
            case VALUE_STRING -> new JsonString(parser.getString());
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> new JsonNumber(parser.getString());
            case VALUE_TRUE -> Json.of(true);
            case VALUE_FALSE -> Json.of(false);
            case VALUE_NULL -> JsonNull.INSTANCE;
            case NOT_AVAILABLE, END_OBJECT, END_ARRAY, PROPERTY_NAME, VALUE_EMBEDDED_OBJECT ->
                    throw broken("unexpected " + token);
        };
    }

    private Json plainObject(Step step) {
        var members = new JsonObjectBuilder();
        while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
            var name = parser.currentName();
            var token = parser.nextToken();
            var inside = token.isStructStart() ? new Step(step, name, -1) : step;
            if (!members.put(name, plain(inside))) {
                duplicates.add(step.path().child(name));
            }
        }
        return members.done();
    }

    private Json plainArray(Step step) {
        var items = new ArrayList<Json>();
        while (true) {
            var token = parser.nextToken();
            if (token == JsonToken.END_ARRAY) {
                return items.isEmpty() ? JsonArray.EMPTY : new JsonArray(items);
            }
            var isNested = token != null && token.isStructStart();
            items.add(plain(isNested ? new Step(step, "", items.size()) : step));
        }
    }

    /// A step to an object or list; converted to a path on demand.
    private record Step(@Nullable Step above, String name, int index) {
        static final Step ROOT = new Step(null, "", -1);

        FieldPath path() {
            if (above == null) {
                return FieldPath.ROOT;
            }
            var path = above.path();
            return index < 0 ? path.child(name) : path.index(index);
        }
    }

    private BrokenText broken(String message) {
        var at = parser.currentTokenLocation();
        return new BrokenText(message, at.getLineNr(), at.getColumnNr());
    }

    private record Located(Json value, SourceMap source) {}
}
