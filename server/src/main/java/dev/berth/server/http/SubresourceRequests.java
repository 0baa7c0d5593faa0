package dev.berth.server.http;

import dev.berth.model.json.JsonObject;
import dev.berth.server.registry.ApiError;
import dev.berth.server.registry.DeleteOptions;
import dev.berth.server.registry.FieldManager;
import dev.berth.server.registry.ObjectWrites;
import dev.berth.server.registry.RequestContext;
import dev.berth.server.registry.Resource;
import dev.berth.server.registry.StoredObjects;
import dev.berth.server.registry.Subresource;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;

/// Carries out what requests want of subresources with rules of their own.
final class SubresourceRequests {

    private final ObjectRequests.Parts parts;

    SubresourceRequests(ObjectRequests.Parts parts) {
        this.parts = parts;
    }

    ServerResponse answer(
            ApiRequest asked,
            Resource resource,
            RequestTarget.OfObjects target,
            Subresource subresource,
            Verb verb,
            RequestContext context) {
        if (!subresource.verbs().contains(verb.word())) {
            throw ApiError.methodNotAllowed().exception();
        }
        var parent =
                StoredObjects.tree(
                        parts.reads().get(resource, target.namespace(), target.name(), ""));
        var writer = new Parent(asked, resource, target, context);
        var rules = subresource.rules();
        var result =
                switch (verb) {
                    case CREATE, UPDATE, PATCH -> {
                        var body =
                                verb == Verb.PATCH
                                        ? parts.patches().patched(asked, rules.read(parent, context))
                                        : body(asked, subresource);
                        parts.writes().admit(resource, subresource, parent, body, context);
                        yield rules.write(parent, body, context, writer);
                    }
                    case GET, LIST, WATCH, DELETE, DELETECOLLECTION -> rules.read(parent, context);
                };
        return ServerResponse.of(
                verb == Verb.CREATE ? 201 : 200,
                result,
                asked.media(MediaNegotiation.Offer.BUILT_IN).whole(),
                List.copyOf(writer.warnings));
    }

    private static JsonObject body(ApiRequest asked, Subresource subresource) {
        if (subresource.kind().endsWith("Options") && RequestBodies.isEmpty(asked)) {
            // Options come in the address.
            return JsonObject.EMPTY;
        }
        var apiVersion =
                subresource.group().isEmpty()
                        ? subresource.version()
                        : subresource.group() + "/" + subresource.version();
        return RequestBodies.untyped(asked, apiVersion, subresource.kind());
    }

    private final class Parent implements Subresource.Writer {
        private final Resource resource;
        private final RequestTarget.OfObjects target;
        private final RequestContext context;
        private final FieldManager writer;
        private final Set<String> warnings = new LinkedHashSet<>();

        private Parent(
                ApiRequest asked,
                Resource resource,
                RequestTarget.OfObjects target,
                RequestContext context) {
            this.resource = resource;
            this.target = target;
            this.context = context;
            this.writer = ObjectRequests.writer(asked, resource, target);
        }

        @Override
        public JsonObject change(UnaryOperator<JsonObject> change) {
            var written =
                    parts.writes()
                            .change(
                                    resource,
                                    ObjectWrites.Part.SUBRESOURCE,
                                    target.name(),
                                    context,
                                    writer,
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
            var other = parts.resources().byCollection(collection);
            var kind = other.orElseThrow(() -> ApiError.noSuchPath().exception());
            return parts.writes()
                    .change(
                            kind,
                            ObjectWrites.Part.SUBRESOURCE,
                            name,
                            context.in(namespace),
                            FieldManager.server(kind),
                            change)
                    .object();
        }

        @Override
        public JsonObject delete(JsonObject deleteOptions) {
            return parts.deletes()
                    .delete(resource, target.name(), DeleteOptions.read(deleteOptions), context)
                    .object();
        }

        @Override
        public void warn(String warning) {
            warnings.add(warning);
        }
    }
}
