package dev.berth.server.http.handler;

import dev.berth.server.access.AuthorizationRequest;
import dev.berth.server.http.request.ApiRequest;
import dev.berth.server.http.request.RequestBodies;
import dev.berth.server.http.request.RequestOptions;
import dev.berth.server.http.request.RequestTarget;
import dev.berth.server.http.response.MediaNegotiation;
import dev.berth.server.http.response.ServerResponse;
import dev.berth.server.nodes.NodeConnections;
import dev.berth.server.operation.ObjectOperation;
import dev.berth.server.operation.ObjectOperations;
import dev.berth.server.operation.ObjectPath;
import dev.berth.server.operation.Verb;
import dev.berth.server.registry.ApiError;
import dev.berth.server.registry.ReviewKind;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/// Authorizes requests and dispatches them to their handlers.
public final class Router {

    private final ObjectOperations operations;
    private final ObjectRequests objects;
    private final NonResourcePaths paths;

    /// @param nodes connections to nodes, for logs and exec
    /// @param documents handlers by path; a path that ends with `/` includes everything below it
    public Router(
            ObjectOperations operations,
            NodeConnections nodes,
            Map<String, Function<ApiRequest, ServerResponse>> documents) {
        var registry = operations.registry();
        this.operations = operations;
        this.objects = new ObjectRequests(operations, nodes);
        this.paths =
                new NonResourcePaths(
                        new Discovery(registry.resources(), operations.reviews()),
                        registry.store(),
                        documents);
    }

    /// True for paths that need neither authorization nor a seat: health and version.
    public static boolean isPublic(RequestTarget target) {
        return target instanceof RequestTarget.NonResourcePath(var path)
                && NonResourcePaths.isPublic(path);
    }

    /// True when the server has the resource of a path.
    public boolean serves(ObjectPath path) {
        return operations
                        .registry()
                        .resources()
                        .byPath(path.group(), path.version(), path.plural())
                        .isPresent()
                || path.isBindings()
                || operations.review(path).isPresent();
    }

    public ServerResponse handle(ApiRequest request) {
        return switch (request.target()) {
            case RequestTarget.ResourcePath target ->
                    objects(request, target.path(), request.verb(target));
            case RequestTarget.NonResourcePath(var path) -> nonResource(request, path);
        };
    }

    private ServerResponse nonResource(ApiRequest request, String path) {
        if (!NonResourcePaths.isPublic(path)) {
            operations.authorize(
                    new AuthorizationRequest.NonResourceAttributes(
                            request.user(), verb(request), path));
        }
        return paths.handle(request, path);
    }

    private static String verb(ApiRequest request) {
        return switch (request.method()) {
            case "POST" -> "post";
            case "PUT" -> "put";
            case "PATCH" -> "patch";
            case "DELETE" -> "delete";
            default -> "get";
        };
    }

    private ServerResponse objects(ApiRequest request, ObjectPath path, Verb verb) {
        authorize(request, path, verb);
        if (verb == Verb.GET && PodNodeRequests.requiresCreate(path)) {
            authorize(request, path, Verb.CREATE);
        }
        var review = operations.review(path);
        if (review.isPresent()) {
            return review(request, path, verb, review.get());
        }
        return objects.handle(
                request, path.isBindings() ? bindingOfPod(request, path, verb) : path, verb);
    }

    private void authorize(ApiRequest request, ObjectPath path, Verb verb) {
        var query = request.query();
        operations.authorize(
                request.user(),
                verb,
                path,
                query.text("fieldSelector"),
                query.text("labelSelector"));
    }

    /// `POST …/bindings` is `POST …/pods/NAME/binding` with the name of the pod in the body.
    private static ObjectPath bindingOfPod(ApiRequest request, ObjectPath path, Verb verb) {
        if (verb != Verb.CREATE || !path.subresource().isEmpty()) {
            throw ApiError.methodNotAllowed().exception();
        }
        return ObjectOperations.bindingOfPod(path, RequestBodies.document(request));
    }

    private ServerResponse review(
            ApiRequest request, ObjectPath path, Verb verb, ReviewKind review) {
        ObjectOperations.checkReview(review, path, verb);
        var operation =
                new ObjectOperation.Create(
                        path,
                        RequestOptions.of(verb).write(request),
                        RequestBodies.document(request));
        return ServerResponse.of(
                201,
                operations.review(request.user(), review, operation),
                MediaNegotiation.of(request, MediaNegotiation.Offer.BUILT_IN).whole(),
                List.of());
    }
}
