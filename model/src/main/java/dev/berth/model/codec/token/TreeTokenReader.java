package dev.berth.model.codec.token;

import dev.berth.model.json.Json;
import dev.berth.model.json.Json.JsonArray;
import dev.berth.model.json.Json.JsonBool;
import dev.berth.model.json.Json.JsonNull;
import dev.berth.model.json.Json.JsonString;
import dev.berth.model.json.JsonNumber;
import dev.berth.model.json.JsonObject;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Tokens from a tree.
public final class TreeTokenReader implements TokenReader {

    /// A container during traversal, and the index of its next element.
    private static final class Level {
        private final Json container;
        private final @Nullable Level above;
        private int next;

        Level(Json container, @Nullable Level above) {
            this.container = container;
            this.above = above;
        }
    }

    private @Nullable Level open;
    private Json value;
    private boolean valueNext = true;
    private Token current = Token.END;
    private String text = "";

    public TreeTokenReader(Json root) {
        this.value = root;
    }

    @Override
    public Token current() {
        return current;
    }

    @Override
    public Token next() {
        if (valueNext) {
            valueNext = false;
            current = begin();
            return current;
        }
        var level = open;
        if (level == null) {
            current = Token.END;
            return current;
        }
        current =
                switch (level.container) {
                    case JsonObject object -> nextMember(object, level);
                    case JsonArray(var items) -> nextItem(items, level);
                    case JsonString _, JsonNumber _, JsonBool _, JsonNull _ ->
                            throw new IllegalStateException("scalars have no parts");
                };
        return current;
    }

    private Token nextMember(JsonObject object, Level level) {
        if (level.next == object.size()) {
            return end(Token.END_OBJECT);
        }
        text = object.nameAt(level.next);
        value = object.valueAt(level.next++);
        valueNext = true;
        return Token.NAME;
    }

    private Token nextItem(List<Json> items, Level level) {
        if (level.next == items.size()) {
            return end(Token.END_ARRAY);
        }
        value = items.get(level.next++);
        return begin();
    }

    private Token end(Token token) {
        if (open == null) {
            throw new IllegalStateException("nothing is open");
        }
        value = open.container;
        open = open.above;
        return token;
    }

    private Token begin() {
        return switch (value) {
            case JsonObject _ -> {
                open = new Level(value, open);
                yield Token.OBJECT;
            }
            case JsonArray _ -> {
                open = new Level(value, open);
                yield Token.ARRAY;
            }
            case JsonString(var string) -> {
                text = string;
                yield Token.STRING;
            }
            case JsonNumber(var literal) -> {
                text = literal;
                yield Token.NUMBER;
            }
            case JsonBool(var flag) -> flag ? Token.TRUE : Token.FALSE;
            case JsonNull _ -> Token.NULL;
        };
    }

    @Override
    public String text() {
        return text;
    }

    @Override
    public String word(ValueInterner interner) {
        return interner.word(text);
    }

    @Override
    public void skip() {
        if (current == Token.OBJECT) {
            current = end(Token.END_OBJECT);
        } else if (current == Token.ARRAY) {
            current = end(Token.END_ARRAY);
        }
    }

    @Override
    public @Nullable JsonObject whole() {
        return current == Token.OBJECT && value instanceof JsonObject object ? object : null;
    }

    @Override
    public Optional<Json> taken() {
        skip();
        return Optional.of(value);
    }
}
