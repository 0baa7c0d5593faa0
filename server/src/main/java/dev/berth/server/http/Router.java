package dev.berth.server.http;

import dev.berth.model.json.JsonObject;
import dev.berth.server.access.Access;
import dev.berth.server.access.Authorizer;
import dev.berth.server.auth.Refusals;
import dev.berth.server.registry.Call;
import dev.berth.server.registry.Failure;
import dev.berth.server.registry.Resources;
import dev.berth.server.registry.Review;
import java.util.List;
import java.util.Optional;

/// Decides who answers a request, after it has been authorized.
final class Router {

    private final Resources resources;
    private final List<Review> reviews;
    private final ObjectRequests objects;
    private final Pages pages;
    private final Authorizer authorizer;

    Router(
            Resources resources,
            List<Review> reviews,
            ObjectRequests objects,
            Pages pages,
            Authorizer authorizer) {
        this.resources = resources;
        this.reviews = List.copyOf(reviews);
        this.objects = objects;
        this.pages = pages;
        this.authorizer = authorizer;
    }

    Reply answer(Asked asked) {
        return switch (asked.target()) {
            case Target.OfObjects target -> objects(asked, target);
            case Target.Page(var path) -> page(asked, path);
        };
    }

    private Reply page(Asked asked, String path) {
        if (!Pages.isPublic(path)) {
            authorize(
                    new Access.ToPath(
                            asked.user(),
                            asked.method().equals("GET") ? "get" : verb(asked),
                            path));
        }
        return pages.answer(asked, path);
    }

    private static String verb(Asked asked) {
        return switch (asked.method()) {
            case "POST" -> "post";
            case "PUT" -> "put";
            case "PATCH" -> "patch";
            case "DELETE" -> "delete";
            default -> "get";
        };
    }

    private Reply objects(Asked asked, Target.OfObjects target) {
        var verb = Verb.of(asked, target);
        authorize(access(asked, target, verb));
        if (verb == Verb.GET && PodInsides.isActing(target)) {
            authorize(access(asked, target, Verb.CREATE));
        }
        var review = review(target);
        if (review.isPresent()) {
            return answer(asked, target, verb, review.get());
        }
        var resource =
                resources
                        .byAddress(target.group(), target.version(), target.plural())
                        .orElseThrow(() -> Failure.noSuchPath().refused());
        return objects.answer(asked, resource, target);
    }

    private static Access access(Asked asked, Target.OfObjects target, Verb verb) {
        return new Access.ToResource(
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
    private static String namespaceOf(Target.OfObjects target) {
        return target.group().isEmpty() && target.plural().equals("namespaces")
                ? target.name()
                : target.namespace();
    }

    private Optional<Review> review(Target.OfObjects target) {
        for (var one : reviews) {
            if (one.plural().equals(target.plural())
                    && one.group().equals(target.group())
                    && one.version().equals(target.version())) {
                return Optional.of(one);
            }
        }
        return Optional.empty();
    }

    private Reply answer(Asked asked, Target.OfObjects target, Verb verb, Review review) {
        if (verb != Verb.CREATE || review.namespaced() == target.namespace().isEmpty()) {
            throw Failure.methodNotAllowed().refused();
        }
        Call call = objects.call(asked, target, verb);
        JsonObject body = Bodies.untyped(asked, review.apiVersion(), review.kind());
        return Reply.of(
                201,
                review.question().answer(body, call),
                asked.media(Media.Offer.BUILT_IN).whole(),
                List.of());
    }

    private void authorize(Access access) {
        var decision = authorizer.decide(access);
        if (decision.isAllowed()) {
            return;
        }
        throw Refusals.failure(access, decision).refused();
    }
}
