package dev.berth.model.json;

import java.util.List;

/// A parsed value with source positions and duplicate names.
///
/// @param duplicates paths of duplicate members; the last one wins
public record ParsedDocument(Json root, SourceMap source, List<FieldPath> duplicates) {

    public ParsedDocument {
        duplicates = List.copyOf(duplicates);
    }

    /// A document without source text and positions.
    public static ParsedDocument of(Json root) {
        return new ParsedDocument(root, new SourceMap(0, 0), List.of());
    }
}
