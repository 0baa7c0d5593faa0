package dev.berth.model.codec.token;

import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Tokens of a JSON value, from a stream or from a tree.
///
/// Convention: a value is read from its first token, which is current, to its last, which becomes
/// current.
public interface TokenReader {

    enum Token {
        OBJECT,
        END_OBJECT,
        ARRAY,
        END_ARRAY,
        NAME,
        STRING,
        NUMBER,
        TRUE,
        FALSE,
        NULL,
        END
    }

    Token current();

    Token next();

    /// The text of a name or string, or the literal of a number.
    String text();

    /// As [#text], interned.
    String word(ValueInterner interner);

    /// Moves to the last token of the current value.
    void skip();

    /// The object that starts at the current token, if it exists as a tree.
    @Nullable JsonObject whole();

    /// The current value if it exists as a tree; moves to its last token.
    Optional<Json> taken();
}
