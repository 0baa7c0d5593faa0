package dev.berth.server.http;

import dev.berth.model.json.JsonObject;
import dev.berth.server.access.AuthorizationRequest;
import dev.berth.server.access.Authorizer;
import dev.berth.server.auth.ForbiddenMessages;
import dev.berth.server.registry.ApiError;
import dev.berth.server.registry.RequestContext;
import dev.berth.server.registry.Resources;
import dev.berth.server.registry.ReviewKind;
import java.util.List;
import java.util.Optional;

/// Authorizes requests and dispatches them to their handlers.
final class Router {

    private final Resources resources;
    private final List<ReviewKind> reviews;
    private final ObjectRequests objects;
    private final NonResourcePaths paths;
    private final Authorizer authorizer;

    Router(
            Resources resources,
            List<ReviewKind> reviews,
            ObjectRequests objects,
            NonResourcePaths paths,
            Authorizer authorizer) {
        this.resources = resources;
        this.reviews = List.copyOf(reviews);
        this.objects = objects;
        this.paths = paths;
        this.authorizer = authorizer;
    }

    /// True when the server has the resource of a path.
    boolean serves(RequestTarget.ResourcePath target) {
        return resources.byPath(target.group(), target.version(), target.plural()).isPresent()
                || isBindings(target)
                || reviewKind(target).isPresent();
    }

    ServerResponse handle(ApiRequest request) {
        return switch (request.target()) {
            case RequestTarget.ResourcePath target -> objects(request, target);
            case RequestTarget.NonResourcePath(var path) -> nonResource(request, path);
        };
    }

    private ServerResponse nonResource(ApiRequest request, String path) {
        if (!NonResourcePaths.isPublic(path)) {
            authorize(
                    new AuthorizationRequest.NonResourceAttributes(
                            request.user(),
                            request.method().equals("GET") ? "get" : verb(request),
                            path));
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

    private ServerResponse objects(ApiRequest request, RequestTarget.ResourcePath target) {
        var verb = Verb.of(request, target);
        authorize(access(request, target, verb));
        if (verb == Verb.GET && PodNodeRequests.requiresCreate(target)) {
            authorize(access(request, target, Verb.CREATE));
        }
        var review = reviewKind(target);
        if (review.isPresent()) {
            return review(request, target, verb, review.get());
        }
        var addressed = isBindings(target) ? bindingOfPod(request, target, verb) : target;
        var resource =
                resources
                        .byPath(addressed.group(), addressed.version(), addressed.plural())
                        .orElseThrow(() -> ApiError.noSuchPath().exception());
        return objects.handle(request, resource, addressed);
    }

    private static boolean isBindings(RequestTarget.ResourcePath target) {
        return target.group().isEmpty()
                && target.version().equals("v1")
                && target.plural().equals("bindings");
    }

    /// `POST …/bindings` is `POST …/pods/NAME/binding` with the name of the pod in the body.
    private static RequestTarget.ResourcePath bindingOfPod(
            ApiRequest request, RequestTarget.ResourcePath target, Verb verb) {
        if (verb != Verb.CREATE || !target.subresource().isEmpty()) {
            throw ApiError.methodNotAllowed().exception();
        }
        var binding = RequestBodies.untyped(request, "v1", "Binding");
        var pod = binding.objectOrEmpty("metadata").text("name");
        if (pod.isEmpty()) {
            throw ApiError.badRequest("name must be provided").exception();
        }
        return new RequestTarget.ResourcePath(
                "", "v1", target.namespace(), "pods", pod, "binding", false);
    }

    private static AuthorizationRequest access(
            ApiRequest request, RequestTarget.ResourcePath target, Verb verb) {
        return new AuthorizationRequest.ResourceAttributes(
                request.user(),
                verb.word(),
                target.group(),
                target.version(),
                target.plural(),
                target.subresource(),
                namespaceOf(target),
                target.name(),
                request.query().text("fieldSelector"),
                request.query().text("labelSelector"));
    }

    /// For authorization, a namespace is in itself.
    private static String namespaceOf(RequestTarget.ResourcePath target) {
        return target.group().isEmpty() && target.plural().equals("namespaces")
                ? target.name()
                : target.namespace();
    }

    private Optional<ReviewKind> reviewKind(RequestTarget.ResourcePath target) {
        for (var one : reviews) {
            if (one.plural().equals(target.plural())
                    && one.group().equals(target.group())
                    && one.version().equals(target.version())) {
                return Optional.of(one);
            }
        }
        return Optional.empty();
    }

    private ServerResponse review(
            ApiRequest request, RequestTarget.ResourcePath target, Verb verb, ReviewKind review) {
        if (verb != Verb.CREATE || review.namespaced() == target.namespace().isEmpty()) {
            throw ApiError.methodNotAllowed().exception();
        }
        RequestContext context = objects.context(request, target, verb);
        JsonObject body = RequestBodies.untyped(request, review.apiVersion(), review.kind());
        return ServerResponse.of(
                201,
                review.handler().review(body, context),
                request.media(MediaNegotiation.Offer.BUILT_IN).whole(),
                List.of());
    }

    private void authorize(AuthorizationRequest access) {
        var decision = authorizer.decide(access);
        if (decision.isAllowed()) {
            return;
        }
        throw ForbiddenMessages.error(access, decision).exception();
    }
}
