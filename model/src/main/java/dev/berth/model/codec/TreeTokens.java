package dev.berth.model.codec;

import dev.berth.model.json.Json;
import dev.berth.model.json.Json.JsonArray;
import dev.berth.model.json.Json.JsonBool;
import dev.berth.model.json.Json.JsonNull;
import dev.berth.model.json.Json.JsonString;
import dev.berth.model.json.JsonNumber;
import dev.berth.model.json.JsonObject;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.Map;

/// Tokens from a tree.
final class TreeTokens implements Tokens {

    private sealed interface Level {}

    private record Members(Iterator<Map.Entry<String, Json>> left) implements Level {}

    private record Items(Iterator<Json> left) implements Level {}

    private final Deque<Level> open = new ArrayDeque<>();
    private Json pending;
    private boolean valueNext = true;
    private Token current = Token.END;
    private String text = "";

    TreeTokens(Json root) {
        this.pending = root;
    }

    @Override
    public Token current() {
        return current;
    }

    @Override
    public Token next() {
        if (valueNext) {
            valueNext = false;
            current = begin(pending);
            return current;
        }
        current =
                switch (open.peek()) {
                    case null -> Token.END;
                    case Members(var left) -> nextMember(left);
                    case Items(var left) -> nextItem(left);
                };
        return current;
    }

    private Token nextMember(Iterator<Map.Entry<String, Json>> left) {
        if (!left.hasNext()) {
            open.pop();
            return Token.END_OBJECT;
        }
        var member = left.next();
        text = member.getKey();
        pending = member.getValue();
        valueNext = true;
        return Token.NAME;
    }

    private Token nextItem(Iterator<Json> left) {
        if (!left.hasNext()) {
            open.pop();
            return Token.END_ARRAY;
        }
        return begin(left.next());
    }

    private Token begin(Json value) {
        return switch (value) {
            case JsonObject(var members) -> {
                open.push(new Members(members.entrySet().iterator()));
                yield Token.OBJECT;
            }
            case JsonArray(var items) -> {
                open.push(new Items(items.iterator()));
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
    public String word(Interner interner) {
        return interner.word(text);
    }

    @Override
    public void skip() {
        if (current == Token.OBJECT) {
            open.pop();
            current = Token.END_OBJECT;
        } else if (current == Token.ARRAY) {
            open.pop();
            current = Token.END_ARRAY;
        }
    }
}
