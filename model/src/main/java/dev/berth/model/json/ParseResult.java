package dev.berth.model.json;

import java.util.List;

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
}
