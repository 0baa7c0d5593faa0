package dev.berth.app.manifest;

import dev.berth.model.json.FieldPath;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.ParsedDocument;
import dev.berth.model.json.SourceMap;

/// One object of a file.
///
/// @param file name as given by the user; kind and name of an object of a cluster
/// @param document the YAML or JSON document that contains it
/// @param at path in the document: the root, or an item of a list
public record Manifest(String file, ParsedDocument document, FieldPath at, JsonObject object) {

    /// An object of a running cluster.
    public static Manifest ofCluster(JsonObject object) {
        var metadata = object.objectOrEmpty("metadata");
        var namespace = metadata.text("namespace");
        var name = (namespace.isEmpty() ? "" : namespace + "/") + metadata.text("name");
        return new Manifest(
                object.text("kind") + " " + name,
                ParsedDocument.of(object),
                FieldPath.ROOT,
                object);
    }

    public String apiVersion() {
        return object.text("apiVersion");
    }

    public String kind() {
        return object.text("kind");
    }

    /// The position in the file of a field, or of the nearest enclosing field.
    public SourceMap place(FieldPath field) {
        return document.source().nearest(appended(at, field));
    }

    private static FieldPath appended(FieldPath base, FieldPath more) {
        return more.parent()
                .map(parent -> {
                    var above = appended(base, parent);
                    return more.subscript() ? above.key(more.step()) : above.child(more.step());
                })
                .orElse(base);
    }
}
