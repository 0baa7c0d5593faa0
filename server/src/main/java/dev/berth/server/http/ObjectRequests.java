package dev.berth.server.http;

import dev.berth.core.admission.gate.FeatureGates;
import dev.berth.model.json.JsonObject;
import dev.berth.server.access.Authorizer;
import dev.berth.server.nodes.NodeConnections;
import dev.berth.server.registry.ApiError;
import dev.berth.server.registry.ObjectDeletes;
import dev.berth.server.registry.ObjectReads;
import dev.berth.server.registry.ObjectWrites;
import dev.berth.server.registry.ProtobufObjects;
import dev.berth.server.registry.RequestContext;
import dev.berth.server.registry.Resource;
import dev.berth.server.registry.Resources;
import dev.berth.server.registry.StoredObjects;
import dev.berth.server.registry.StoredSize;
import dev.berth.server.registry.Subresource;
import dev.berth.server.store.Entry;
import dev.berth.server.store.ObjectKey;
import dev.berth.server.store.Store;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// Executes the verbs on objects: get, list, watch, create, update, patch, delete and
/// deletecollection.
final class ObjectRequests {

    /// Collaborators of all requests for objects.
    record Services(
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
            Optional<NodeConnections> nodes,
            ProtobufObjects protobuf) {}

    private final Services services;
    private final StoredObjects objects;
    private final WatchRequests watches;
    private final DeleteRequests deletes;
    private final SubresourceRequests subresources;
    private final Optional<PodNodeRequests> podNodeRequests;

    ObjectRequests(Services services) {
        this.services = services;
        this.objects = new StoredObjects(services.store);
        this.watches = new WatchRequests(services.store, services.reads, services.clock);
        this.deletes = new DeleteRequests(services.reads, services.deletes);
        this.subresources = new SubresourceRequests(services);
        this.podNodeRequests =
                services.nodes.map(nodes -> new PodNodeRequests(objects, nodes, services.clock));
    }

    ServerResponse handle(ApiRequest api, Resource resource, RequestTarget.ResourcePath target) {
        var verb = Verb.of(api, target);
        checkScope(resource, target, verb);
        if (!verb.isRead()) {
            WriteOptions.of(verb).check(api);
        }
        var request = new ObjectRequest(api, resource, target, verb, context(api, target, verb));
        if (!target.subresource().isEmpty() && !request.isStatus()) {
            var subresource =
                    resource.subresource(target.subresource())
                            .orElseThrow(() -> ApiError.noSuchPath().exception());
            return podNodeRequests.isPresent() && PodNodeRequests.isNodeSubresource(target)
                    ? podNode(request, subresource, podNodeRequests.get())
                    : subresources.handle(request, subresource);
        }
        if (target.subresource().isEmpty() && !resource.verbs().contains(verb.word())) {
            throw ApiError.methodNotAllowed().exception();
        }
        var rendering = rendering(request);
        return switch (verb) {
            case GET -> get(request, rendering);
            case LIST -> list(request, rendering);
            case WATCH -> watch(request, rendering);
            case CREATE -> create(request, rendering);
            case UPDATE -> update(request, rendering);
            case PATCH -> patch(request, rendering);
            case DELETE -> deletes.delete(request, rendering);
            case DELETECOLLECTION -> deletes.deleteCollection(request, rendering);
        };
    }

    private static void checkScope(
            Resource resource, RequestTarget.ResourcePath target, Verb verb) {
        var inNamespace = !target.namespace().isEmpty();
        if (inNamespace && !resource.isNamespaced()) {
            throw ApiError.noSuchPath().exception();
        }
        var isCollectionVerb =
                verb == Verb.LIST || verb == Verb.WATCH || verb == Verb.DELETECOLLECTION;
        if (!inNamespace && resource.isNamespaced() && !isCollectionVerb) {
            throw (target.name().isEmpty() ? ApiError.methodNotAllowed() : ApiError.noSuchPath())
                    .exception();
        }
        if (!target.subresource().isEmpty()
                && (verb == Verb.DELETE || verb == Verb.LIST || verb == Verb.WATCH)) {
            throw ApiError.methodNotAllowed().exception();
        }
    }

    RequestContext context(ApiRequest api, RequestTarget.ResourcePath target, Verb verb) {
        return new RequestContext(
                api.user(),
                verb.word(),
                target.namespace(),
                services.clock.instant(),
                WriteOptions.of(verb).isDryRun(api.query().all("dryRun")),
                services.gates,
                services.authorizer,
                objects);
    }

    private ServerResponse podNode(
            ObjectRequest request, Subresource subresource, PodNodeRequests podNodeRequests) {
        if (!subresource.verbs().contains(request.verb().word())) {
            throw ApiError.methodNotAllowed().exception();
        }
        var pod = services.reads.get(request.resource(), request.namespace(), request.name(), "");
        return podNodeRequests.handle(request.api(), request.target(), StoredObjects.tree(pod));
    }

    private ObjectRendering rendering(ObjectRequest request) {
        return new ObjectRendering(
                request.resource(),
                request.version(),
                request.api()
                        .media(
                                MediaNegotiation.Offer.of(
                                        request.resource().isCustom(),
                                        request.verb() == Verb.WATCH)),
                request.query().text("includeObject"),
                services.protobuf);
    }

    private ServerResponse get(ObjectRequest request, ObjectRendering rendering) {
        var entry =
                services.reads.get(
                        request.resource(),
                        request.namespace(),
                        request.name(),
                        request.query().text("resourceVersion"));
        return rendering.stored(200, entry, List.of(), services.clock.instant());
    }

    private ServerResponse list(ObjectRequest request, ObjectRendering rendering) {
        return rendering.list(
                services.reads.list(request.resource(), request.namespace(), request.listQuery()),
                services.clock.instant());
    }

    private ServerResponse watch(ObjectRequest request, ObjectRendering rendering) {
        return new ServerResponse.WatchStream(
                watches.start(
                        rendering, request.selection(), request.namespace(), request.query()));
    }

    private ServerResponse create(ObjectRequest request, ObjectRendering rendering) {
        var decoded = decoded(request);
        var written =
                services.writes.create(
                        request.resource(),
                        decoded.object(),
                        request.context(),
                        request.fieldManager());
        return written(request, rendering, 201, written, decoded.warnings());
    }

    private ServerResponse update(ObjectRequest request, ObjectRendering rendering) {
        var decoded = decoded(request);
        var written =
                services.writes.update(
                        request.resource(),
                        request.part(),
                        request.name(),
                        decoded.object(),
                        request.context(),
                        request.fieldManager());
        return written(request, rendering, 200, written, decoded.warnings());
    }

    private RequestBodies.Decoded decoded(ObjectRequest request) {
        var api = request.api();
        var decoded = services.bodies.object(api, request.resource(), request.version());
        if (RequestBodies.mayExceed(api, StoredSize.MAX_BYTES)) {
            StoredSize.checkSent(
                    request.resource(),
                    decoded.object(),
                    () -> request.storedBytes(services.store));
        }
        return decoded;
    }

    private ServerResponse patch(ObjectRequest request, ObjectRendering rendering) {
        var patched = services.patches.patch(request);
        var status = patched.written().created() ? 201 : 200;
        return written(request, rendering, status, patched.written(), patched.warnings());
    }

    /// The response to a write. Its encoding is cached when it is that of the stored object, since
    /// watches and lists need the same bytes.
    private ServerResponse written(
            ObjectRequest request,
            ObjectRendering rendering,
            int status,
            ObjectWrites.Written written,
            List<String> decodingWarnings) {
        var warnings = joined(decodingWarnings, written.warnings());
        var now = request.context().now();
        return stored(rendering, written.object())
                .map(entry -> rendering.stored(status, entry, warnings, now))
                .orElseGet(() -> rendering.object(status, written.object(), warnings, now));
    }

    /// The stored entry of a written object, if it is served as protobuf and was not changed since.
    private Optional<Entry> stored(ObjectRendering rendering, JsonObject object) {
        if (!rendering.isProtobufObject()) {
            return Optional.empty();
        }
        var metadata = object.objectOrEmpty("metadata");
        var key =
                new ObjectKey(
                        rendering.resource().collection(),
                        metadata.text("namespace"),
                        metadata.text("name"));
        var revision = metadata.text("resourceVersion");
        return services.store
                .get(key)
                .filter(entry -> Long.toString(entry.revision()).equals(revision));
    }

    private static List<String> joined(List<String> some, List<String> others) {
        return some.isEmpty() ? others : Stream.concat(some.stream(), others.stream()).toList();
    }
}
