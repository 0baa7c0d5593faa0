package dev.berth.model.json;

import java.util.List;

/// A value that was read, with where everything stood and which names were given twice.
///
/// @param duplicates paths of members that appeared more than once; the last one was taken
public record ParsedDocument(Json root, SourceMap source, List<FieldPath> duplicates) {

    public ParsedDocument {
        duplicates = List.copyOf(duplicates);
    }

    /// A document that was not read from a text, so that nothing in it has a place.
    public static ParsedDocument of(Json root) {
        return new ParsedDocument(root, new SourceMap(0, 0), List.of());
    }
}
