package dev.berth.model.json;

import java.util.List;

/// What came of reading a text.
public sealed interface ParseResult {

    /// The documents of the text; JSON has one, YAML any number.
    record Documents(List<ParsedDocument> documents) implements ParseResult {
        public Documents {
            documents = List.copyOf(documents);
        }
    }

    /// The text is not JSON or YAML, or goes beyond a bound; the place counts from one.
    record Malformed(String message, int line, int column) implements ParseResult {}
}
