package dev.berth.server.operation;

import dev.berth.model.json.JsonObject;
import dev.berth.server.operation.ObjectOperation.PatchType;
import dev.berth.server.registry.ApiError;
import dev.berth.server.registry.DeleteOptions;
import dev.berth.server.registry.FieldManager;
import dev.berth.server.registry.ObjectWrites;
import dev.berth.server.registry.Registry;
import dev.berth.server.registry.StoredObjects;
import dev.berth.server.registry.Subresource;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;

/// Executes operations on subresources with rules of their own.
record SubresourceOperations(Registry registry) {

    SubresourceResult execute(
            ObjectTarget target, Subresource subresource, ObjectOperation operation) {
        var path = target.path();
        var entry = registry.reads().get(target.resource(), path.namespace(), path.name(), "");
        var parent = StoredObjects.tree(entry);
        var rules = subresource.rules();
        return switch (operation) {
            case ObjectOperation.Get _ ->
                    new SubresourceResult(rules.read(parent, target.context()), List.of());
            case ObjectOperation.Create create -> replace(target, subresource, parent, create);
            case ObjectOperation.Update update -> replace(target, subresource, parent, update);
            case ObjectOperation.Patch patch ->
                    write(
                            target,
                            subresource,
                            parent,
                            patch.options(),
                            ObjectPatches.patched(rules.read(parent, target.context()), patch));
            case ObjectOperation.Apply _ -> throw PatchType.unsupported(false);
            case ObjectOperation.List _, ObjectOperation.Delete _ ->
                    throw ApiError.methodNotAllowed().exception();
        };
    }

    private SubresourceResult replace(
            ObjectTarget target,
            Subresource subresource,
            JsonObject parent,
            ObjectOperation.Write operation) {
        var body = operation.document().object(subresource.apiVersion(), subresource.kind());
        return write(target, subresource, parent, operation.options(), body);
    }

    private SubresourceResult write(
            ObjectTarget target,
            Subresource subresource,
            JsonObject parent,
            WriteOptions options,
            JsonObject body) {
        var context = target.context();
        var writer = new ParentWriter(registry, target, options);
        registry.writes().admit(target.resource(), subresource, parent, body, context);
        var result = subresource.rules().write(parent, body, context, writer);
        return new SubresourceResult(result, List.copyOf(writer.warnings));
    }

    private static final class ParentWriter implements Subresource.Writer {
        private final Registry registry;
        private final ObjectTarget target;
        private final WriteOptions options;
        private final Set<String> warnings = new LinkedHashSet<>();

        private ParentWriter(Registry registry, ObjectTarget target, WriteOptions options) {
            this.registry = registry;
            this.target = target;
            this.options = options;
        }

        @Override
        public JsonObject change(UnaryOperator<JsonObject> change) {
            var written =
                    registry.writes()
                            .change(
                                    target.resource(),
                                    ObjectWrites.Part.SUBRESOURCE,
                                    target.name(),
                                    target.context(),
                                    target.fieldManager(options),
                                    change);
            warnings.addAll(written.warnings());
            return written.object();
        }

        @Override
        public JsonObject changeOther(
                String collection,
                String namespace,
                String name,
                UnaryOperator<JsonObject> change) {
            var kind =
                    registry.resources()
                            .byCollection(collection)
                            .orElseThrow(() -> ApiError.noSuchPath().exception());
            return registry.writes()
                    .change(
                            kind,
                            ObjectWrites.Part.SUBRESOURCE,
                            name,
                            target.context().in(namespace),
                            FieldManager.server(kind),
                            change)
                    .object();
        }

        @Override
        public JsonObject delete(JsonObject deleteOptions) {
            return registry.deletes()
                    .delete(
                            target.resource(),
                            target.name(),
                            DeleteOptions.read(deleteOptions),
                            target.context())
                    .object();
        }

        @Override
        public void warn(String warning) {
            warnings.add(warning);
        }
    }
}
