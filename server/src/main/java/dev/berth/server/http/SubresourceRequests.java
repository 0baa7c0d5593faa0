package dev.berth.server.http;

import dev.berth.model.json.JsonObject;
import dev.berth.server.registry.ApiError;
import dev.berth.server.registry.DeleteOptions;
import dev.berth.server.registry.FieldManager;
import dev.berth.server.registry.ObjectWrites;
import dev.berth.server.registry.StoredObjects;
import dev.berth.server.registry.Subresource;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;

/// Executes requests for subresources with rules of their own.
final class SubresourceRequests {

    private final ObjectRequests.Services services;

    SubresourceRequests(ObjectRequests.Services services) {
        this.services = services;
    }

    ServerResponse handle(ObjectRequest request, Subresource subresource) {
        var verb = request.verb();
        if (!subresource.verbs().contains(verb.word())) {
            throw ApiError.methodNotAllowed().exception();
        }
        var resource = request.resource();
        var context = request.context();
        var parent =
                StoredObjects.tree(
                        services.reads().get(resource, request.namespace(), request.name(), ""));
        var writer = new ParentWriter(request);
        var rules = subresource.rules();
        var result =
                switch (verb) {
                    case CREATE, UPDATE, PATCH -> {
                        var body =
                                verb == Verb.PATCH
                                        ? services.patches()
                                                .patched(request.api(), rules.read(parent, context))
                                        : body(request.api(), subresource);
                        services.writes().admit(resource, subresource, parent, body, context);
                        yield rules.write(parent, body, context, writer);
                    }
                    case GET, LIST, WATCH, DELETE, DELETECOLLECTION -> rules.read(parent, context);
                };
        var code = verb == Verb.CREATE ? 201 : 200;
        var warnings = List.copyOf(writer.warnings);
        var media = request.api().media(MediaNegotiation.Offer.BUILT_IN);
        if (media.form() == MediaNegotiation.Form.TABLE && !subresource.columns().isEmpty()) {
            var tables =
                    new TableResponses(
                            subresource.columns(),
                            UnaryOperator.identity(),
                            request.query().text("includeObject"));
            var metadata = result.objectOrEmpty("metadata");
            var table = tables.table(List.of(result), metadata, true, context.now());
            return ServerResponse.of(code, table, media, warnings);
        }
        return ServerResponse.of(code, result, media.whole(), warnings);
    }

    private static JsonObject body(ApiRequest request, Subresource subresource) {
        if (subresource.kind().endsWith("Options") && RequestBodies.isEmpty(request)) {
            // Options are query parameters.
            return JsonObject.EMPTY;
        }
        var apiVersion =
                subresource.group().isEmpty()
                        ? subresource.version()
                        : subresource.group() + "/" + subresource.version();
        return RequestBodies.untyped(request, apiVersion, subresource.kind());
    }

    private final class ParentWriter implements Subresource.Writer {
        private final ObjectRequest request;
        private final Set<String> warnings = new LinkedHashSet<>();

        private ParentWriter(ObjectRequest request) {
            this.request = request;
        }

        @Override
        public JsonObject change(UnaryOperator<JsonObject> change) {
            var written =
                    services.writes()
                            .change(
                                    request.resource(),
                                    ObjectWrites.Part.SUBRESOURCE,
                                    request.name(),
                                    request.context(),
                                    request.fieldManager(),
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
                    services.resources()
                            .byCollection(collection)
                            .orElseThrow(() -> ApiError.noSuchPath().exception());
            return services.writes()
                    .change(
                            kind,
                            ObjectWrites.Part.SUBRESOURCE,
                            name,
                            request.context().in(namespace),
                            FieldManager.server(kind),
                            change)
                    .object();
        }

        @Override
        public JsonObject delete(JsonObject deleteOptions) {
            return services.deletes()
                    .delete(
                            request.resource(),
                            request.name(),
                            DeleteOptions.read(deleteOptions),
                            request.context())
                    .object();
        }

        @Override
        public void warn(String warning) {
            warnings.add(warning);
        }
    }
}
