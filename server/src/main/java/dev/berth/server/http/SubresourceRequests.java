package dev.berth.server.http;

import dev.berth.model.json.JsonObject;
import dev.berth.server.registry.Call;
import dev.berth.server.registry.DeleteOptions;
import dev.berth.server.registry.Failure;
import dev.berth.server.registry.Objects;
import dev.berth.server.registry.Resource;
import dev.berth.server.registry.Subresource;
import dev.berth.server.registry.Writer;
import dev.berth.server.registry.Writes;
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

    Reply answer(
            Asked asked,
            Resource resource,
            Target.OfObjects target,
            Subresource subresource,
            Verb verb,
            Call call) {
        if (!subresource.verbs().contains(verb.word())) {
            throw Failure.methodNotAllowed().refused();
        }
        var parent =
                Objects.tree(parts.reads().get(resource, target.namespace(), target.name(), ""));
        var writing = new Parent(asked, resource, target, call);
        var rules = subresource.rules();
        var result =
                switch (verb) {
                    case CREATE, UPDATE, PATCH -> {
                        var body =
                                verb == Verb.PATCH
                                        ? parts.patches().patched(asked, rules.read(parent, call))
                                        : body(asked, subresource);
                        parts.writes().admit(resource, subresource, parent, body, call);
                        yield rules.write(parent, body, call, writing);
                    }
                    case GET, LIST, WATCH, DELETE, DELETECOLLECTION -> rules.read(parent, call);
                };
        return Reply.of(
                verb == Verb.CREATE ? 201 : 200,
                result,
                asked.media(Media.Offer.BUILT_IN).whole(),
                List.copyOf(writing.warnings));
    }

    private static JsonObject body(Asked asked, Subresource subresource) {
        if (subresource.kind().endsWith("Options") && Bodies.isEmpty(asked)) {
            // Options come in the address.
            return JsonObject.EMPTY;
        }
        var apiVersion =
                subresource.group().isEmpty()
                        ? subresource.version()
                        : subresource.group() + "/" + subresource.version();
        return Bodies.untyped(asked, apiVersion, subresource.kind());
    }

    private final class Parent implements Subresource.Writing {
        private final Resource resource;
        private final Target.OfObjects target;
        private final Call call;
        private final Writer writer;
        private final Set<String> warnings = new LinkedHashSet<>();

        private Parent(Asked asked, Resource resource, Target.OfObjects target, Call call) {
            this.resource = resource;
            this.target = target;
            this.call = call;
            this.writer = ObjectRequests.writer(asked, resource, target);
        }

        @Override
        public JsonObject change(UnaryOperator<JsonObject> change) {
            var written =
                    parts.writes()
                            .change(
                                    resource,
                                    Writes.Part.SUBRESOURCE,
                                    target.name(),
                                    call,
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
            var kind = other.orElseThrow(() -> Failure.noSuchPath().refused());
            return parts.writes()
                    .change(
                            kind,
                            Writes.Part.SUBRESOURCE,
                            name,
                            call.in(namespace),
                            Writer.server(kind),
                            change)
                    .object();
        }

        @Override
        public JsonObject delete(JsonObject deleteOptions) {
            return parts.deletes()
                    .delete(resource, target.name(), DeleteOptions.read(deleteOptions), call)
                    .object();
        }

        @Override
        public void warn(String warning) {
            warnings.add(warning);
        }
    }
}
