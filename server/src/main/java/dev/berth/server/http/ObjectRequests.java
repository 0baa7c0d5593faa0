package dev.berth.server.http;

import dev.berth.core.admission.FeatureGates;
import dev.berth.model.json.Json;
import dev.berth.model.json.Json.JsonArray;
import dev.berth.model.json.JsonObject;
import dev.berth.server.access.Authorizer;
import dev.berth.server.nodes.NodeDoors;
import dev.berth.server.registry.Call;
import dev.berth.server.registry.DeleteOptions;
import dev.berth.server.registry.Deletes;
import dev.berth.server.registry.Failure;
import dev.berth.server.registry.ListQuery;
import dev.berth.server.registry.Objects;
import dev.berth.server.registry.ProtobufObjects;
import dev.berth.server.registry.Reads;
import dev.berth.server.registry.Refused;
import dev.berth.server.registry.Resource;
import dev.berth.server.registry.Resources;
import dev.berth.server.registry.Selection;
import dev.berth.server.registry.StoredSize;
import dev.berth.server.registry.Subresource;
import dev.berth.server.registry.Writer;
import dev.berth.server.registry.Writes;
import dev.berth.server.store.Key;
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
            Reads reads,
            Writes writes,
            Deletes deletes,
            Bodies bodies,
            Patches patches,
            FeatureGates gates,
            Authorizer authorizer,
            Clock clock,
            Optional<NodeDoors> doors,
            ProtobufObjects protobuf) {}

    private final Parts parts;
    private final Objects objects;
    private final Watching watching;
    private final SubresourceRequests subresources;
    private final Optional<PodInsides> insides;

    ObjectRequests(Parts parts) {
        this.parts = parts;
        this.objects = new Objects(parts.store);
        this.watching = new Watching(parts.store, parts.reads, parts.clock);
        this.subresources = new SubresourceRequests(parts);
        this.insides = parts.doors.map(doors -> new PodInsides(objects, doors, parts.clock));
    }

    Reply answer(Asked asked, Resource resource, Target.OfObjects target) {
        var verb = Verb.of(asked, target);
        checkScope(resource, target, verb);
        if (!verb.isRead()) {
            WriteOptions.of(verb).check(asked);
        }
        var call = call(asked, target, verb);
        if (!target.subresource().isEmpty() && !isStatus(resource, target)) {
            var found = resource.subresource(target.subresource());
            var subresource = found.orElseThrow(() -> Failure.noSuchPath().refused());
            if (insides.isPresent() && PodInsides.isInside(target)) {
                return inside(asked, resource, target, subresource, verb);
            }
            return subresources.answer(asked, resource, target, subresource, verb, call);
        }
        if (target.subresource().isEmpty() && !resource.verbs().contains(verb.word())) {
            throw Failure.methodNotAllowed().refused();
        }
        var rendering = rendering(asked, resource, target.version());
        return switch (verb) {
            case GET -> get(asked, resource, target, rendering);
            case LIST -> list(asked, resource, target, rendering);
            case WATCH -> watch(asked, resource, target, rendering);
            case CREATE -> create(asked, resource, target, call, rendering);
            case UPDATE -> update(asked, resource, target, call, rendering);
            case PATCH -> patch(asked, resource, target, call, rendering);
            case DELETE -> delete(asked, resource, target, call, rendering);
            case DELETECOLLECTION -> deleteAll(asked, resource, target, call, rendering);
        };
    }

    private Reply inside(
            Asked asked,
            Resource resource,
            Target.OfObjects target,
            Subresource subresource,
            Verb verb) {
        if (!subresource.verbs().contains(verb.word())) {
            throw Failure.methodNotAllowed().refused();
        }
        var pod = Objects.tree(parts.reads.get(resource, target.namespace(), target.name(), ""));
        return insides.orElseThrow().answer(asked, target, pod);
    }

    private static void checkScope(Resource resource, Target.OfObjects target, Verb verb) {
        var inNamespace = !target.namespace().isEmpty();
        if (inNamespace && !resource.isNamespaced()) {
            throw Failure.noSuchPath().refused();
        }
        var aboutAll = verb == Verb.LIST || verb == Verb.WATCH || verb == Verb.DELETECOLLECTION;
        if (!inNamespace && resource.isNamespaced() && !aboutAll) {
            throw (target.name().isEmpty() ? Failure.methodNotAllowed() : Failure.noSuchPath())
                    .refused();
        }
        if (!target.subresource().isEmpty()
                && (verb == Verb.DELETE || verb == Verb.LIST || verb == Verb.WATCH)) {
            throw Failure.methodNotAllowed().refused();
        }
    }

    private static boolean isStatus(Resource resource, Target.OfObjects target) {
        return target.subresource().equals("status") && resource.hasStatus();
    }

    Call call(Asked asked, Target.OfObjects target, Verb verb) {
        return new Call(
                asked.user(),
                verb.word(),
                target.namespace(),
                parts.clock.instant(),
                WriteOptions.of(verb).isDryRun(asked.query().all("dryRun")),
                parts.gates,
                parts.authorizer,
                objects);
    }

    private Rendering rendering(Asked asked, Resource resource, String version) {
        return new Rendering(
                resource,
                version,
                asked.media(resource.isCustom() ? Media.Offer.CUSTOM : Media.Offer.BUILT_IN),
                asked.query().text("includeObject"),
                parts.protobuf);
    }

    private static Selection selection(Asked asked, Resource resource, String name) {
        var fields = asked.query().text("fieldSelector");
        if (!name.isEmpty()) {
            fields = "metadata.name=" + name;
        }
        return Selection.parse(resource, asked.query().text("labelSelector"), fields);
    }

    private Reply get(
            Asked asked, Resource resource, Target.OfObjects target, Rendering rendering) {
        var entry =
                parts.reads.get(
                        resource,
                        target.namespace(),
                        target.name(),
                        asked.query().text("resourceVersion"));
        return rendering.stored(200, entry, List.of(), parts.clock.instant());
    }

    private Reply list(
            Asked asked, Resource resource, Target.OfObjects target, Rendering rendering) {
        return rendering.list(
                parts.reads.list(resource, target.namespace(), query(asked, resource)),
                parts.clock.instant());
    }

    private static ListQuery query(Asked asked, Resource resource) {
        var query = asked.query();
        var limit = query.number("limit").orElse(0);
        return new ListQuery(
                selection(asked, resource, ""),
                query.text("resourceVersion"),
                query.text("resourceVersionMatch"),
                Math.clamp(limit, 0, Integer.MAX_VALUE),
                query.text("continue"));
    }

    private Reply watch(
            Asked asked, Resource resource, Target.OfObjects target, Rendering rendering) {
        return new Reply.Watching(
                watching.begin(
                        rendering,
                        selection(asked, resource, target.name()),
                        target.namespace(),
                        asked.query()));
    }

    private Reply create(
            Asked asked,
            Resource resource,
            Target.OfObjects target,
            Call call,
            Rendering rendering) {
        var sent = sent(asked, resource, target);
        var written =
                parts.writes.create(resource, sent.object(), call, writer(asked, resource, target));
        return written(rendering, 201, written.object(), joined(sent.warnings(), written), call);
    }

    /// An object that was written. Its encoding is cached when it is the one that is stored, since
    /// those who watch and list it need the same bytes.
    private Reply written(
            Rendering rendering, int status, JsonObject object, List<String> warnings, Call call) {
        if (rendering.isProtobufObject()) {
            var metadata = object.objectOrEmpty("metadata");
            var key =
                    new Key(
                            rendering.resource().collection(),
                            metadata.text("namespace"),
                            metadata.text("name"));
            var entry = parts.store.get(key);
            var revision = metadata.text("resourceVersion");
            if (entry.isPresent() && Long.toString(entry.get().revision()).equals(revision)) {
                return rendering.stored(status, entry.get(), warnings, call.now());
            }
        }
        return rendering.object(status, object, warnings, call.now());
    }

    private Bodies.Sent sent(Asked asked, Resource resource, Target.OfObjects target) {
        var sent = parts.bodies.object(asked, resource, target.version());
        if (Bodies.mayExceed(asked, StoredSize.MAX_BYTES)) {
            StoredSize.checkSent(
                    resource, sent.object(), () -> storedBytes(parts.store, resource, target));
        }
        return sent;
    }

    /// The size of the stored object; 0 when there is none.
    static int storedBytes(Store store, Resource resource, Target.OfObjects target) {
        var key = new Key(resource.collection(), target.namespace(), target.name());
        return store.get(key).map(entry -> entry.bytes().length).orElse(0);
    }

    private Reply update(
            Asked asked,
            Resource resource,
            Target.OfObjects target,
            Call call,
            Rendering rendering) {
        var sent = sent(asked, resource, target);
        var written =
                parts.writes.update(
                        resource,
                        part(target),
                        target.name(),
                        sent.object(),
                        call,
                        writer(asked, resource, target));
        return written(rendering, 200, written.object(), joined(sent.warnings(), written), call);
    }

    private Reply patch(
            Asked asked,
            Resource resource,
            Target.OfObjects target,
            Call call,
            Rendering rendering) {
        var outcome =
                parts.patches.patch(
                        asked,
                        new Patches.Place(resource, target, part(target)),
                        call,
                        writer(asked, resource, target));
        return written(
                rendering,
                outcome.written().created() ? 201 : 200,
                outcome.written().object(),
                joined(outcome.warnings(), outcome.written()),
                call);
    }

    private static Writes.Part part(Target.OfObjects target) {
        return target.subresource().isEmpty() ? Writes.Part.MAIN : Writes.Part.STATUS;
    }

    private static List<String> joined(List<String> warnings, Writes.Written written) {
        if (warnings.isEmpty()) {
            return written.warnings();
        }
        return Stream.concat(warnings.stream(), written.warnings().stream()).toList();
    }

    static Writer writer(Asked asked, Resource resource, Target.OfObjects target) {
        var manager = asked.query().text("fieldManager");
        if (manager.isEmpty()) {
            var agent = asked.header("User-Agent");
            var slash = agent.indexOf('/');
            manager = slash < 0 ? agent : agent.substring(0, slash);
        }
        manager = manager.substring(0, Math.min(manager.length(), Writer.MAX_MANAGER));
        return new Writer(
                manager.isEmpty() ? "unknown" : manager,
                resource.apiVersion(target.version()),
                target.subresource());
    }

    private Reply delete(
            Asked asked,
            Resource resource,
            Target.OfObjects target,
            Call call,
            Rendering rendering) {
        var body = Bodies.optional(asked);
        var options = options(asked, body);
        var dryRun = dryRun(call, body);
        var deleted = parts.deletes.delete(resource, target.name(), options, dryRun);
        var status = !deleted.gone() && options.explicitlyCascading() ? 202 : 200;
        return deleted.gone() && resource.deletionAnswersStatus()
                ? Reply.of(
                        status,
                        gone(resource, deleted.object()),
                        rendering.media().whole(),
                        List.of())
                : rendering.object(status, deleted.object(), List.of(), call.now());
    }

    private static Call dryRun(Call call, JsonObject body) {
        return WriteOptions.OF_DELETION.isDryRun(body.strings("dryRun")) ? call.dry() : call;
    }

    /// Options may come in the body or, in part, in the address.
    private static DeleteOptions options(Asked asked, JsonObject body) {
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

    private Reply deleteAll(
            Asked asked,
            Resource resource,
            Target.OfObjects target,
            Call call,
            Rendering rendering) {
        var body = Bodies.optional(asked);
        var options = options(asked, body);
        var dryRun = dryRun(call, body);
        var page = parts.reads.list(resource, target.namespace(), query(asked, resource));
        var deleted = new ArrayList<Json>();
        for (var entry : page.entries()) {
            var one = dryRun.in(entry.key().namespace());
            try {
                var outcome = parts.deletes.delete(resource, entry.key().name(), options, one);
                deleted.add(resource.fromInternal(target.version(), outcome.object()));
            } catch (Refused refused) {
                if (refused.failure().code() != 404) {
                    throw refused;
                }
            }
        }
        return Reply.of(
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
