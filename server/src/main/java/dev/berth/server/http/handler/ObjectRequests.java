package dev.berth.server.http.handler;

import dev.berth.model.json.JsonObject;
import dev.berth.server.http.request.ApiRequest;
import dev.berth.server.http.request.RequestOptions;
import dev.berth.server.http.response.MediaNegotiation;
import dev.berth.server.http.response.ObjectRendering;
import dev.berth.server.http.response.ServerResponse;
import dev.berth.server.http.response.TableResponses;
import dev.berth.server.nodes.NodeConnections;
import dev.berth.server.operation.ObjectOperations;
import dev.berth.server.operation.ObjectPath;
import dev.berth.server.operation.Verb;
import dev.berth.server.registry.ObjectWrites;
import dev.berth.server.registry.ProtobufObjects;
import dev.berth.server.registry.Registry;
import dev.berth.server.registry.StoredObjects;
import dev.berth.server.registry.Subresource;
import dev.berth.server.store.Entry;
import dev.berth.server.store.ObjectKey;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/// Handles the verbs on objects: get, list, watch, create, update, patch, delete and
/// deletecollection. Builds the operation from the request, and the response from its result.
final class ObjectRequests {

    private final ObjectOperations operations;
    private final Registry registry;
    private final ProtobufObjects protobuf = ProtobufObjects.ofHeap();
    private final WatchRequests watches;
    private final DeleteRequests deletes;
    private final PodNodeRequests podNodes;

    ObjectRequests(ObjectOperations operations, NodeConnections nodes) {
        this.operations = operations;
        this.registry = operations.registry();
        this.watches = new WatchRequests(registry.store(), registry.reads(), registry.clock());
        this.deletes = new DeleteRequests(operations);
        this.podNodes = new PodNodeRequests(registry.objects(), nodes, registry.clock());
    }

    ServerResponse handle(ApiRequest api, ObjectPath path, Verb verb) {
        var resource = operations.resource(path, verb);
        RequestOptions.of(verb).check(api);
        var request = new ObjectRequest(api, resource, path, verb);
        var subresource = ObjectOperations.subresource(resource, path, verb);
        if (subresource.isPresent()) {
            return PodNodeRequests.isNodeSubresource(path)
                    ? podNode(request)
                    : subresource(request, subresource.get());
        }
        var rendering = rendering(request);
        return switch (verb) {
            case GET -> {
                var entry = operations.get(resource, request.get());
                yield rendering.stored(200, entry, List.of(), now());
            }
            case LIST -> rendering.list(operations.list(resource, request.list()), now());
            case WATCH ->
                    new ServerResponse.WatchStream(
                            watches.start(
                                    rendering,
                                    request.selection(),
                                    path.namespace(),
                                    request.query()));
            case CREATE, UPDATE, PATCH ->
                    written(rendering, operations.write(api.user(), resource, request.write()));
            case DELETE -> deletes.delete(request, rendering);
            case DELETECOLLECTION -> deletes.deleteCollection(request, rendering);
        };
    }

    private Instant now() {
        return registry.clock().instant();
    }

    private ServerResponse podNode(ObjectRequest request) {
        var path = request.path();
        var pod = registry.reads().get(request.resource(), path.namespace(), path.name(), "");
        return podNodes.handle(request.api(), path, StoredObjects.tree(pod));
    }

    private ServerResponse subresource(ObjectRequest request, Subresource subresource) {
        var api = request.api();
        var result =
                operations.execute(
                        api.user(),
                        request.resource(),
                        subresource,
                        request.operation(subresource));
        var code = request.verb() == Verb.CREATE ? 201 : 200;
        var media = MediaNegotiation.of(api, MediaNegotiation.Offer.BUILT_IN);
        if (media.form() == MediaNegotiation.Form.TABLE && !subresource.columns().isEmpty()) {
            var tables =
                    new TableResponses(
                            subresource.columns(),
                            UnaryOperator.identity(),
                            request.query().text("includeObject"));
            var metadata = result.object().objectOrEmpty("metadata");
            var table = tables.table(List.of(result.object()), metadata, true, now());
            return ServerResponse.of(code, table, media, result.warnings());
        }
        return ServerResponse.of(code, result.object(), media.whole(), result.warnings());
    }

    private ObjectRendering rendering(ObjectRequest request) {
        var resource = request.resource();
        var offer = MediaNegotiation.Offer.of(resource.isCustom(), request.verb() == Verb.WATCH);
        return new ObjectRendering(
                resource,
                request.path().version(),
                MediaNegotiation.of(request.api(), offer),
                request.query().text("includeObject"),
                protobuf);
    }

    /// The response to a write. Its encoding is cached when it is that of the stored object, since
    /// watches and lists need the same bytes.
    private ServerResponse written(ObjectRendering rendering, ObjectWrites.Written written) {
        var code = written.created() ? 201 : 200;
        return stored(rendering, written.object())
                .map(entry -> rendering.stored(code, entry, written.warnings(), now()))
                .orElseGet(
                        () -> rendering.object(code, written.object(), written.warnings(), now()));
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
        return registry.store()
                .get(key)
                .filter(entry -> Long.toString(entry.revision()).equals(revision));
    }
}
