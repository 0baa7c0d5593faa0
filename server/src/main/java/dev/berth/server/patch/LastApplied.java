package dev.berth.server.patch;

import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.JsonReader;
import dev.berth.model.json.JsonWriter;
import dev.berth.model.json.ParseResult.Documents;
import dev.berth.schema.SchemaType;
import dev.berth.server.patch.ApplyResult.Conflict;
import dev.berth.server.patch.ServerSideApply.ConflictOf;
import dev.berth.server.patch.ServerSideApply.Writer;
import java.util.List;
import java.util.Optional;

/// The annotation in which client-side `kubectl apply` keeps the last applied configuration.
///
/// When kubectl migrates to server-side apply, the fields that it applied client-side and that are
/// unchanged since belong to it: they do not conflict. From then on the annotation follows the
/// applied configuration, so that kubectl can go back to client-side apply.
record LastApplied(SchemaType type) {

    private static final String ANNOTATION = "kubectl.kubernetes.io/last-applied-configuration";
    private static final String KUBECTL = "kubectl";

    /// Validation rejects a longer annotation; it is left empty instead.
    private static final int MAX_LENGTH = 200_000;

    /// The conflicts without those about fields that kubectl applied client-side.
    List<Conflict> withoutOwnFields(JsonObject live, String manager, List<ConflictOf> conflicts) {
        var own = manager.equals(KUBECTL) ? unchanged(live) : FieldSet.EMPTY;
        return conflicts.stream()
                .filter(conflict -> !own.contains(conflict.path()))
                .map(ConflictOf::toConflict)
                .toList();
    }

    private FieldSet unchanged(JsonObject live) {
        var configuration =
                annotation(live)
                        .map(JsonReader::read)
                        .filter(Documents.class::isInstance)
                        .map(reading -> ((Documents) reading).documents())
                        .filter(documents -> !documents.isEmpty())
                        .map(documents -> documents.getFirst().root());
        if (configuration.isEmpty()
                || !(configuration.get() instanceof JsonObject applied)
                || ApplyValidation.problem(applied, type).isPresent()) {
            return FieldSet.EMPTY;
        }
        var comparison = FieldComparison.of(applied, live, type);
        return TypedFields.fields(applied, type)
                .difference(comparison.touched())
                .difference(comparison.removed());
    }

    private static Optional<String> annotation(JsonObject object) {
        return object.objectOrEmpty("metadata").objectOrEmpty("annotations").string(ANNOTATION);
    }

    /// The object with its annotation updated, if it has one and the manager is kubectl.
    static JsonObject synced(JsonObject object, JsonObject config, Writer writer) {
        if (!writer.manager().equals(KUBECTL) || annotation(object).isEmpty()) {
            return object;
        }
        var metadata = object.objectOrEmpty("metadata");
        var annotations = metadata.objectOrEmpty("annotations");
        var text = JsonWriter.compact(withoutAnnotation(config)) + "\n";
        var kept = text.length() > MAX_LENGTH ? "" : text;
        return object.with(
                "metadata",
                metadata.with("annotations", annotations.with(ANNOTATION, Json.of(kept))));
    }

    private static JsonObject withoutAnnotation(JsonObject config) {
        var metadata = config.objectOrEmpty("metadata");
        if (!metadata.objectOrEmpty("annotations").has(ANNOTATION)) {
            return config;
        }
        var annotations = metadata.objectOrEmpty("annotations").without(ANNOTATION);
        return config.with("metadata", metadata.with("annotations", annotations));
    }
}
