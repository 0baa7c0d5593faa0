package dev.berth.model.codec;

import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The parts of a JSON value in order, from a stream or from a tree.
///
/// Who reads a value finds its first token current, and leaves its last one current.
interface TokenReader {

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

    /// As [#text], but equal texts are mostly the same object.
    String word(ValueInterner interner);

    /// Moves to the last token of the current value.
    void skip();

    /// The object that begins with the current token when it is there as a tree.
    @Nullable JsonObject whole();

    /// The current value as a tree when that is there already, and moves to its last token.
    Optional<Json> taken();
}
