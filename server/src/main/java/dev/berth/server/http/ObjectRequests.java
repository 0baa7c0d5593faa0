package dev.berth.server.http;

import dev.berth.core.admission.FeatureGates;
import dev.berth.model.json.Json;
import dev.berth.model.json.Json.JsonArray;
import dev.berth.model.json.JsonObject;
import dev.berth.server.access.Authorizer;
import dev.berth.server.nodes.NodeConnections;
import dev.berth.server.registry.ApiError;
import dev.berth.server.registry.ApiException;
import dev.berth.server.registry.DeleteOptions;
import dev.berth.server.registry.FieldManager;
import dev.berth.server.registry.ListQuery;
import dev.berth.server.registry.ObjectDeletes;
import dev.berth.server.registry.ObjectReads;
import dev.berth.server.registry.ObjectSelection;
import dev.berth.server.registry.ObjectWrites;
import dev.berth.server.registry.ProtobufObjects;
import dev.berth.server.registry.RequestContext;
import dev.berth.server.registry.Resource;
import dev.berth.server.registry.Resources;
import dev.berth.server.registry.StoredObjects;
import dev.berth.server.registry.StoredSize;
import dev.berth.server.registry.Subresource;
import dev.berth.server.store.ObjectKey;
import dev.berth.server.store.Store;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// Carries out what requests want of objects.
final class ObjectRequests {

    /// Everything that this needs.
    record Parts(
            Resources resources,
            Store store,
            ObjectReads reads,
            ObjectWrites writes,
            ObjectDeletes deletes,
            RequestBodies bodies,
            PatchRequests patches,
            FeatureGates gates,
            Authorizer authorizer,
            Clock clock,
            Optional<NodeConnections> doors,
            ProtobufObjects protobuf) {}

    private final Parts parts;
    private final StoredObjects objects;
    private final WatchRequests watching;
    private final SubresourceRequests subresources;
    private final Optional<PodNodeRequests> insides;

    ObjectRequests(Parts parts) {
        this.parts = parts;
        this.objects = new StoredObjects(parts.store);
        this.watching = new WatchRequests(parts.store, parts.reads, parts.clock);
        this.subresources = new SubresourceRequests(parts);
        this.insides = parts.doors.map(doors -> new PodNodeRequests(objects, doors, parts.clock));
    }

    ServerResponse answer(ApiRequest asked, Resource resource, RequestTarget.OfObjects target) {
        var verb = Verb.of(asked, target);
        checkScope(resource, target, verb);
        if (!verb.isRead()) {
            WriteOptions.of(verb).check(asked);
        }
        var context = context(asked, target, verb);
        if (!target.subresource().isEmpty() && !isStatus(resource, target)) {
            var found = resource.subresource(target.subresource());
            var subresource = found.orElseThrow(() -> ApiError.noSuchPath().exception());
            if (insides.isPresent() && PodNodeRequests.isInside(target)) {
                return inside(asked, resource, target, subresource, verb);
            }
            return subresources.answer(asked, resource, target, subresource, verb, context);
        }
        if (target.subresource().isEmpty() && !resource.verbs().contains(verb.word())) {
            throw ApiError.methodNotAllowed().exception();
        }
        var rendering = rendering(asked, resource, target.version());
        return switch (verb) {
            case GET -> get(asked, resource, target, rendering);
            case LIST -> list(asked, resource, target, rendering);
            case WATCH -> watch(asked, resource, target, rendering);
            case CREATE -> create(asked, resource, target, context, rendering);
            case UPDATE -> update(asked, resource, target, context, rendering);
            case PATCH -> patch(asked, resource, target, context, rendering);
            case DELETE -> delete(asked, resource, target, context, rendering);
            case DELETECOLLECTION -> deleteAll(asked, resource, target, context, rendering);
        };
    }

    private ServerResponse inside(
            ApiRequest asked,
            Resource resource,
            RequestTarget.OfObjects target,
            Subresource subresource,
            Verb verb) {
        if (!subresource.verbs().contains(verb.word())) {
            throw ApiError.methodNotAllowed().exception();
        }
        var pod =
                StoredObjects.tree(
                        parts.reads.get(resource, target.namespace(), target.name(), ""));
        return insides.orElseThrow().answer(asked, target, pod);
    }

    private static void checkScope(Resource resource, RequestTarget.OfObjects target, Verb verb) {
        var inNamespace = !target.namespace().isEmpty();
        if (inNamespace && !resource.isNamespaced()) {
            throw ApiError.noSuchPath().exception();
        }
        var aboutAll = verb == Verb.LIST || verb == Verb.WATCH || verb == Verb.DELETECOLLECTION;
        if (!inNamespace && resource.isNamespaced() && !aboutAll) {
            throw (target.name().isEmpty() ? ApiError.methodNotAllowed() : ApiError.noSuchPath())
                    .exception();
        }
        if (!target.subresource().isEmpty()
                && (verb == Verb.DELETE || verb == Verb.LIST || verb == Verb.WATCH)) {
            throw ApiError.methodNotAllowed().exception();
        }
    }

    private static boolean isStatus(Resource resource, RequestTarget.OfObjects target) {
        return target.subresource().equals("status") && resource.hasStatus();
    }

    RequestContext context(ApiRequest asked, RequestTarget.OfObjects target, Verb verb) {
        return new RequestContext(
                asked.user(),
                verb.word(),
                target.namespace(),
                parts.clock.instant(),
                WriteOptions.of(verb).isDryRun(asked.query().all("dryRun")),
                parts.gates,
                parts.authorizer,
                objects);
    }

    private ObjectRendering rendering(ApiRequest asked, Resource resource, String version) {
        return new ObjectRendering(
                resource,
                version,
                asked.media(
                        resource.isCustom()
                                ? MediaNegotiation.Offer.CUSTOM
                                : MediaNegotiation.Offer.BUILT_IN),
                asked.query().text("includeObject"),
                parts.protobuf);
    }

    private static ObjectSelection selection(ApiRequest asked, Resource resource, String name) {
        var fields = asked.query().text("fieldSelector");
        if (!name.isEmpty()) {
            fields = "metadata.name=" + name;
        }
        return ObjectSelection.parse(resource, asked.query().text("labelSelector"), fields);
    }

    private ServerResponse get(
            ApiRequest asked,
            Resource resource,
            RequestTarget.OfObjects target,
            ObjectRendering rendering) {
        var entry =
                parts.reads.get(
                        resource,
                        target.namespace(),
                        target.name(),
                        asked.query().text("resourceVersion"));
        return rendering.stored(200, entry, List.of(), parts.clock.instant());
    }

    private ServerResponse list(
            ApiRequest asked,
            Resource resource,
            RequestTarget.OfObjects target,
            ObjectRendering rendering) {
        return rendering.list(
                parts.reads.list(resource, target.namespace(), query(asked, resource)),
                parts.clock.instant());
    }

    private static ListQuery query(ApiRequest asked, Resource resource) {
        var query = asked.query();
        var limit = query.number("limit").orElse(0);
        return new ListQuery(
                selection(asked, resource, ""),
                query.text("resourceVersion"),
                query.text("resourceVersionMatch"),
                Math.clamp(limit, 0, Integer.MAX_VALUE),
                query.text("continue"));
    }

    private ServerResponse watch(
            ApiRequest asked,
            Resource resource,
            RequestTarget.OfObjects target,
            ObjectRendering rendering) {
        return new ServerResponse.Watching(
                watching.begin(
                        rendering,
                        selection(asked, resource, target.name()),
                        target.namespace(),
                        asked.query()));
    }

    private ServerResponse create(
            ApiRequest asked,
            Resource resource,
            RequestTarget.OfObjects target,
            RequestContext context,
            ObjectRendering rendering) {
        var sent = sent(asked, resource, target);
        var written =
                parts.writes.create(resource, sent.object(), context, writer(asked, resource, target));
        return written(rendering, 201, written.object(), joined(sent.warnings(), written), context);
    }

    /// An object that was written. Its encoding is cached when it is the one that is stored, since
    /// those who watch and list it need the same bytes.
    private ServerResponse written(
            ObjectRendering rendering,
            int status,
            JsonObject object,
            List<String> warnings,
            RequestContext context) {
        if (rendering.isProtobufObject()) {
            var metadata = object.objectOrEmpty("metadata");
            var key =
                    new ObjectKey(
                            rendering.resource().collection(),
                            metadata.text("namespace"),
                            metadata.text("name"));
            var entry = parts.store.get(key);
            var revision = metadata.text("resourceVersion");
            if (entry.isPresent() && Long.toString(entry.get().revision()).equals(revision)) {
                return rendering.stored(status, entry.get(), warnings, context.now());
            }
        }
        return rendering.object(status, object, warnings, context.now());
    }

    private RequestBodies.Sent sent(
            ApiRequest asked, Resource resource, RequestTarget.OfObjects target) {
        var sent = parts.bodies.object(asked, resource, target.version());
        if (RequestBodies.mayExceed(asked, StoredSize.MAX_BYTES)) {
            StoredSize.checkSent(
                    resource, sent.object(), () -> storedBytes(parts.store, resource, target));
        }
        return sent;
    }

    /// The size of the stored object; 0 when there is none.
    static int storedBytes(Store store, Resource resource, RequestTarget.OfObjects target) {
        var key = new ObjectKey(resource.collection(), target.namespace(), target.name());
        return store.get(key).map(entry -> entry.bytes().length).orElse(0);
    }

    private ServerResponse update(
            ApiRequest asked,
            Resource resource,
            RequestTarget.OfObjects target,
            RequestContext context,
            ObjectRendering rendering) {
        var sent = sent(asked, resource, target);
        var written =
                parts.writes.update(
                        resource,
                        part(target),
                        target.name(),
                        sent.object(),
                        context,
                        writer(asked, resource, target));
        return written(rendering, 200, written.object(), joined(sent.warnings(), written), context);
    }

    private ServerResponse patch(
            ApiRequest asked,
            Resource resource,
            RequestTarget.OfObjects target,
            RequestContext context,
            ObjectRendering rendering) {
        var outcome =
                parts.patches.patch(
                        asked,
                        new PatchRequests.Place(resource, target, part(target)),
                        context,
                        writer(asked, resource, target));
        return written(
                rendering,
                outcome.written().created() ? 201 : 200,
                outcome.written().object(),
                joined(outcome.warnings(), outcome.written()),
                context);
    }

    private static ObjectWrites.Part part(RequestTarget.OfObjects target) {
        return target.subresource().isEmpty() ? ObjectWrites.Part.MAIN : ObjectWrites.Part.STATUS;
    }

    private static List<String> joined(List<String> warnings, ObjectWrites.Written written) {
        if (warnings.isEmpty()) {
            return written.warnings();
        }
        return Stream.concat(warnings.stream(), written.warnings().stream()).toList();
    }

    static FieldManager writer(
            ApiRequest asked, Resource resource, RequestTarget.OfObjects target) {
        var manager = asked.query().text("fieldManager");
        if (manager.isEmpty()) {
            var agent = asked.header("User-Agent");
            var slash = agent.indexOf('/');
            manager = slash < 0 ? agent : agent.substring(0, slash);
        }
        manager = manager.substring(0, Math.min(manager.length(), FieldManager.MAX_MANAGER));
        return new FieldManager(
                manager.isEmpty() ? "unknown" : manager,
                resource.apiVersion(target.version()),
                target.subresource());
    }

    private ServerResponse delete(
            ApiRequest asked,
            Resource resource,
            RequestTarget.OfObjects target,
            RequestContext context,
            ObjectRendering rendering) {
        var body = RequestBodies.optional(asked);
        var options = options(asked, body);
        var dryRun = dryRun(context, body);
        var deleted = parts.deletes.delete(resource, target.name(), options, dryRun);
        var status = !deleted.gone() && options.explicitlyCascading() ? 202 : 200;
        return deleted.gone() && resource.deleteReturnsStatus()
                ? ServerResponse.of(
                        status,
                        gone(resource, deleted.object()),
                        rendering.media().whole(),
                        List.of())
                : rendering.object(status, deleted.object(), List.of(), context.now());
    }

    private static RequestContext dryRun(RequestContext context, JsonObject body) {
        return WriteOptions.OF_DELETION.isDryRun(body.strings("dryRun")) ? context.dry() : context;
    }

    /// Options may come in the body or, in part, in the address.
    private static DeleteOptions options(ApiRequest asked, JsonObject body) {
        var query = asked.query();
        var options = body;
        var grace = query.number("gracePeriodSeconds");
        if (grace.isPresent()) {
            options = options.with("gracePeriodSeconds", Json.of(grace.getAsLong()));
        }
        if (!query.text("propagationPolicy").isEmpty()) {
            options = options.with("propagationPolicy", Json.of(query.text("propagationPolicy")));
        }
        if (!query.text("orphanDependents").isEmpty()) {
            options = options.with("orphanDependents", Json.of(query.flag("orphanDependents")));
        }
        return DeleteOptions.read(options);
    }

    private static JsonObject gone(Resource resource, JsonObject object) {
        var metadata = object.objectOrEmpty("metadata");
        var details = JsonObject.of("name", Json.of(metadata.text("name")));
        if (!resource.group().isEmpty()) {
            details = details.with("group", Json.of(resource.group()));
        }
        details = details.with("kind", Json.of(resource.plural()));
        return JsonObject.of("kind", Json.of("Status"))
                .with("apiVersion", Json.of("v1"))
                .with("metadata", JsonObject.EMPTY)
                .with("status", Json.of("Success"))
                .with("details", details.with("uid", Json.of(metadata.text("uid"))));
    }

    private ServerResponse deleteAll(
            ApiRequest asked,
            Resource resource,
            RequestTarget.OfObjects target,
            RequestContext context,
            ObjectRendering rendering) {
        var body = RequestBodies.optional(asked);
        var options = options(asked, body);
        var dryRun = dryRun(context, body);
        var page = parts.reads.list(resource, target.namespace(), query(asked, resource));
        var deleted = new ArrayList<Json>();
        for (var entry : page.entries()) {
            var one = dryRun.in(entry.key().namespace());
            try {
                var outcome = parts.deletes.delete(resource, entry.key().name(), options, one);
                deleted.add(resource.fromInternal(target.version(), outcome.object()));
            } catch (ApiException refused) {
                if (refused.error().code() != 404) {
                    throw refused;
                }
            }
        }
        return ServerResponse.of(
                200,
                JsonObject.of("kind", Json.of(resource.listKind()))
                        .with("apiVersion", Json.of(resource.apiVersion(target.version())))
                        .with(
                                "metadata",
                                JsonObject.of(
                                        "resourceVersion", Json.of(Long.toString(page.revision()))))
                        .with("items", new JsonArray(deleted)),
                rendering.media().whole(),
                List.of());
    }
}
