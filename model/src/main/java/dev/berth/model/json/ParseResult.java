package dev.berth.model.json;

import java.util.List;
import java.util.Optional;

/// Result of parsing a text.
public sealed interface ParseResult {

    /// The documents of the text; JSON has one, YAML any number.
    record Documents(List<ParsedDocument> documents) implements ParseResult {
        public Documents {
            documents = List.copyOf(documents);
        }
    }

    /// The text is malformed or exceeds a limit; line and column start at one.
    record Malformed(String message, int line, int column) implements ParseResult {}

    /// The first document, if it is an object.
    default Optional<JsonObject> object() {
        return this instanceof Documents(var documents)
                        && !documents.isEmpty()
                        && documents.getFirst().root() instanceof JsonObject object
                ? Optional.of(object)
                : Optional.empty();
    }
}
