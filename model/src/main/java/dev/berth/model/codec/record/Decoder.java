package dev.berth.model.codec.record;

import dev.berth.model.codec.token.TokenReader;
import dev.berth.model.codec.token.TokenReader.Token;
import dev.berth.model.codec.token.ValueInterner;
import dev.berth.model.json.FieldPath;
import dev.berth.model.json.Json;
import dev.berth.model.json.Json.JsonArray;
import dev.berth.model.json.Json.JsonNull;
import dev.berth.model.json.Json.JsonString;
import dev.berth.model.json.JsonNumber;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.JsonObjectBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/// State of decoding one object: tokens, current path, and problems so far.
public final class Decoder {

    private static final int LONGEST_QUOTE = 64;

    private final TokenReader tokens;
    private final ValueInterner interner;
    private final UnaryOperator<FieldPath> pathInSource;
    private final DecodingPath trail = new DecodingPath();
    private final List<DecodingProblem> problems = new ArrayList<>();

    public Decoder(TokenReader tokens, ValueInterner interner) {
        this(tokens, interner, path -> path);
    }

    /// @param pathInSource maps the path of a value to the one that problems report, for objects
    ///   that were converted before decoding
    public Decoder(
            TokenReader tokens, ValueInterner interner, UnaryOperator<FieldPath> pathInSource) {
        this.tokens = tokens;
        this.interner = interner;
        this.pathInSource = pathInSource;
    }

    public TokenReader tokens() {
        return tokens;
    }

    ValueInterner interner() {
        return interner;
    }

    public List<DecodingProblem> problems() {
        return problems;
    }

    public void enter(String member) {
        trail.enter(member);
    }

    public void enter(int position) {
        trail.enter(position);
    }

    public void leave() {
        trail.leave();
    }

    FieldPath path() {
        return pathInSource.apply(trail.path());
    }

    public void report(DecodingProblem problem) {
        problems.add(problem);
    }

    /// Reports and skips a value of a wrong type.
    public void wrongType(String expected) {
        var found =
                switch (tokens.current()) {
                    case OBJECT -> "object";
                    case ARRAY -> "array";
                    case STRING -> "string \"" + shortened(tokens.text()) + "\"";
                    case NUMBER -> "number " + shortened(tokens.text());
                    case TRUE -> "bool true";
                    case FALSE -> "bool false";
                    case NULL -> "null";
                    case NAME, END_OBJECT, END_ARRAY, END -> "nothing";
                };
        report(new DecodingProblem.WrongType(path(), expected, found));
        tokens.skip();
    }

    static String shortened(String text) {
        return text.length() <= LONGEST_QUOTE ? text : text.substring(0, LONGEST_QUOTE) + "...";
    }

    /// The current value as a tree.
    public Json tree() {
        return tokens.taken().orElseGet(this::read);
    }

    private Json read() {
        return switch (tokens.current()) {
            case OBJECT -> object();
            case ARRAY -> array();
            case STRING -> new JsonString(tokens.text());
            case NUMBER -> new JsonNumber(tokens.text());
            case TRUE -> Json.of(true);
            case FALSE -> Json.of(false);
            case NULL -> JsonNull.INSTANCE;
            case NAME, END_OBJECT, END_ARRAY, END ->
                    throw new IllegalStateException("no value at " + path());
        };
    }

    private JsonObject object() {
        var members = new JsonObjectBuilder();
        while (tokens.next() == Token.NAME) {
            var name = tokens.word(interner);
            tokens.next();
            members.put(name, read());
        }
        return members.done();
    }

    private JsonArray array() {
        var items = new ArrayList<Json>();
        while (tokens.next() != Token.END_ARRAY) {
            items.add(read());
        }
        return new JsonArray(items);
    }
}
