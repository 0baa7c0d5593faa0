package dev.berth.model.codec.token;

import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/// Tokens from a stream of JSON.
public final class JsonTokenReader implements TokenReader {

    private final JsonParser parser;
    private Token current = Token.END;

    public JsonTokenReader(JsonParser parser) {
        this.parser = parser;
    }

    @Override
    public Token current() {
        return current;
    }

    @Override
    public Token next() {
        current = token(parser.nextToken());
        return current;
    }

    @SuppressWarnings("NullAway") // the parser returns null at the end of the text
    private static Token token(JsonToken token) {
        if (token == null) {
            return Token.END;
        }
        return switch (token) {
            case START_OBJECT -> Token.OBJECT;
            case END_OBJECT -> Token.END_OBJECT;
            case START_ARRAY -> Token.ARRAY;
            case END_ARRAY -> Token.END_ARRAY;
            case PROPERTY_NAME -> Token.NAME;
            case VALUE_STRING -> Token.STRING;
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> Token.NUMBER;
            case VALUE_TRUE -> Token.TRUE;
            case VALUE_FALSE -> Token.FALSE;
            case VALUE_NULL -> Token.NULL;
            case NOT_AVAILABLE, VALUE_EMBEDDED_OBJECT ->
                    throw new IllegalStateException("JSON has no token " + token);
        };
    }

    @Override
    public String text() {
        return current == Token.NAME ? parser.currentName() : parser.getString();
    }

    @Override
    public String word(ValueInterner interner) {
        if (current == Token.NAME) {
            return interner.word(parser.currentName());
        }
        return interner.word(
                parser.getStringCharacters(), parser.getStringOffset(), parser.getStringLength());
    }

    @Override
    public void skip() {
        parser.skipChildren();
        current = token(parser.currentToken());
    }

    @Override
    public @Nullable JsonObject whole() {
        return null;
    }

    @Override
    public Optional<Json> taken() {
        return Optional.empty();
    }
}
