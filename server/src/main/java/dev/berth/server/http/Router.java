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

/// Decides who answers a request, after it has been authorized.
final class Router {

    private final Resources resources;
    private final List<ReviewKind> reviews;
    private final ObjectRequests objects;
    private final NonResourcePaths pages;
    private final Authorizer authorizer;

    Router(
            Resources resources,
            List<ReviewKind> reviews,
            ObjectRequests objects,
            NonResourcePaths pages,
            Authorizer authorizer) {
        this.resources = resources;
        this.reviews = List.copyOf(reviews);
        this.objects = objects;
        this.pages = pages;
        this.authorizer = authorizer;
    }

    ServerResponse answer(ApiRequest asked) {
        return switch (asked.target()) {
            case RequestTarget.OfObjects target -> objects(asked, target);
            case RequestTarget.Page(var path) -> page(asked, path);
        };
    }

    private ServerResponse page(ApiRequest asked, String path) {
        if (!NonResourcePaths.isPublic(path)) {
            authorize(
                    new AuthorizationRequest.ToPath(
                            asked.user(),
                            asked.method().equals("GET") ? "get" : verb(asked),
                            path));
        }
        return pages.answer(asked, path);
    }

    private static String verb(ApiRequest asked) {
        return switch (asked.method()) {
            case "POST" -> "post";
            case "PUT" -> "put";
            case "PATCH" -> "patch";
            case "DELETE" -> "delete";
            default -> "get";
        };
    }

    private ServerResponse objects(ApiRequest asked, RequestTarget.OfObjects target) {
        var verb = Verb.of(asked, target);
        authorize(access(asked, target, verb));
        if (verb == Verb.GET && PodNodeRequests.isActing(target)) {
            authorize(access(asked, target, Verb.CREATE));
        }
        var review = review(target);
        if (review.isPresent()) {
            return answer(asked, target, verb, review.get());
        }
        var resource =
                resources
                        .byAddress(target.group(), target.version(), target.plural())
                        .orElseThrow(() -> ApiError.noSuchPath().exception());
        return objects.answer(asked, resource, target);
    }

    private static AuthorizationRequest access(
            ApiRequest asked, RequestTarget.OfObjects target, Verb verb) {
        return new AuthorizationRequest.ToResource(
                asked.user(),
                verb.word(),
                target.group(),
                target.version(),
                target.plural(),
                target.subresource(),
                namespaceOf(target),
                target.name(),
                asked.query().text("fieldSelector"),
                asked.query().text("labelSelector"));
    }

    /// A namespace is in itself, as far as permissions go.
    private static String namespaceOf(RequestTarget.OfObjects target) {
        return target.group().isEmpty() && target.plural().equals("namespaces")
                ? target.name()
                : target.namespace();
    }

    private Optional<ReviewKind> review(RequestTarget.OfObjects target) {
        for (var one : reviews) {
            if (one.plural().equals(target.plural())
                    && one.group().equals(target.group())
                    && one.version().equals(target.version())) {
                return Optional.of(one);
            }
        }
        return Optional.empty();
    }

    private ServerResponse answer(
            ApiRequest asked, RequestTarget.OfObjects target, Verb verb, ReviewKind review) {
        if (verb != Verb.CREATE || review.namespaced() == target.namespace().isEmpty()) {
            throw ApiError.methodNotAllowed().exception();
        }
        RequestContext context = objects.context(asked, target, verb);
        JsonObject body = RequestBodies.untyped(asked, review.apiVersion(), review.kind());
        return ServerResponse.of(
                201,
                review.question().answer(body, context),
                asked.media(MediaNegotiation.Offer.BUILT_IN).whole(),
                List.of());
    }

    private void authorize(AuthorizationRequest access) {
        var decision = authorizer.decide(access);
        if (decision.isAllowed()) {
            return;
        }
        throw ForbiddenMessages.failure(access, decision).exception();
    }
}
