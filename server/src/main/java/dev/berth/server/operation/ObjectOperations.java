package dev.berth.server.operation;

import dev.berth.model.json.JsonObject;
import dev.berth.server.access.AuthorizationRequest;
import dev.berth.server.access.User;
import dev.berth.server.auth.ForbiddenMessages;
import dev.berth.server.registry.ApiError;
import dev.berth.server.registry.FieldTypes;
import dev.berth.server.registry.ObjectDeletes;
import dev.berth.server.registry.ObjectReads;
import dev.berth.server.registry.ObjectWrites;
import dev.berth.server.registry.Registry;
import dev.berth.server.registry.RequestContext;
import dev.berth.server.registry.Resource;
import dev.berth.server.registry.ReviewKind;
import dev.berth.server.registry.SchemaValidator;
import dev.berth.server.registry.StoredObjects;
import dev.berth.server.registry.Subresource;
import dev.berth.server.store.Entry;
import java.util.List;
import java.util.Optional;

/// Authorizes and executes operations on objects.
///
/// [InProcessApi] calls [#execute]. The HTTP API calls the same steps one by one, since it reads
/// the body of a request after authorization and negotiates the media type before execution.
public final class ObjectOperations {

    private final Registry registry;
    private final List<ReviewKind> reviews;
    private final ObjectDecoder decoder;
    private final ObjectPatches patches;
    private final SubresourceOperations subresources;

    /// @param reviews kinds that are created but never stored
    public ObjectOperations(
            Registry registry,
            List<ReviewKind> reviews,
            SchemaValidator validator,
            FieldTypes types) {
        this.registry = registry;
        this.reviews = List.copyOf(reviews);
        this.decoder = new ObjectDecoder(validator, registry.store());
        this.patches = new ObjectPatches(registry.store(), registry.writes(), decoder, types);
        this.subresources = new SubresourceOperations(registry);
    }

    public Registry registry() {
        return registry;
    }

    public List<ReviewKind> reviews() {
        return reviews;
    }

    /// Authorizes and executes an operation. The result is in the version of the path.
    JsonObject execute(User user, ObjectOperation operation) {
        var path = operation.path();
        path.check();
        checkName(operation);
        authorize(user, operation.verb(), path, "", "");
        var review = review(path);
        if (review.isPresent()) {
            checkReview(review.get(), path, operation.verb());
            return review(user, review.get(), (ObjectOperation.Create) operation);
        }
        if (path.isBindings()) {
            return executeAuthorized(user, bindingOfPod(operation));
        }
        return executeAuthorized(user, operation);
    }

    private static void checkName(ObjectOperation operation) {
        var path = operation.path();
        var isAllowed =
                switch (operation) {
                    case ObjectOperation.List _ -> path.name().isEmpty();
                    case ObjectOperation.Create _ ->
                            path.name().isEmpty() || !path.subresource().isEmpty();
                    case ObjectOperation.Get _,
                            ObjectOperation.Update _,
                            ObjectOperation.Patch _,
                            ObjectOperation.Apply _,
                            ObjectOperation.Delete _ ->
                            !path.name().isEmpty();
                };
        if (!isAllowed) {
            throw ApiError.methodNotAllowed().exception();
        }
    }

    /// Checks that a user may perform a verb on a path.
    ///
    /// @param fieldSelector empty for none
    /// @param labelSelector empty for none
    public void authorize(
            User user, Verb verb, ObjectPath path, String fieldSelector, String labelSelector) {
        authorize(
                new AuthorizationRequest.ResourceAttributes(
                        user,
                        verb.word(),
                        path.group(),
                        path.version(),
                        path.plural(),
                        path.subresource(),
                        path.authorizedNamespace(),
                        path.name(),
                        fieldSelector,
                        labelSelector));
    }

    /// Throws [dev.berth.server.registry.ApiException] if the request is forbidden.
    public void authorize(AuthorizationRequest request) {
        var decision = registry.authorizer().decide(request);
        if (!decision.isAllowed()) {
            throw ForbiddenMessages.error(request, decision).exception();
        }
    }

    /// The review kind at a path; empty when there is none.
    public Optional<ReviewKind> review(ObjectPath path) {
        for (var one : reviews) {
            if (one.plural().equals(path.plural())
                    && one.group().equals(path.group())
                    && one.version().equals(path.version())) {
                return Optional.of(one);
            }
        }
        return Optional.empty();
    }

    /// Rejects verbs and scopes that a review kind does not have.
    public static void checkReview(ReviewKind review, ObjectPath path, Verb verb) {
        if (verb != Verb.CREATE || review.namespaced() == path.namespace().isEmpty()) {
            throw ApiError.methodNotAllowed().exception();
        }
    }

    /// Creates a review; returns it with its status.
    public JsonObject review(User user, ReviewKind review, ObjectOperation.Create operation) {
        return review.handler()
                .review(
                        operation.document().object(review.apiVersion(), review.kind()),
                        context(
                                user,
                                Verb.CREATE,
                                operation.path().namespace(),
                                operation.options().dryRun()));
    }

    private static ObjectOperation bindingOfPod(ObjectOperation operation) {
        if (!(operation instanceof ObjectOperation.Create create)
                || !create.path().subresource().isEmpty()) {
            throw ApiError.methodNotAllowed().exception();
        }
        var path = bindingOfPod(create.path(), create.document());
        return new ObjectOperation.Create(path, create.options(), create.document());
    }

    /// The path `…/pods/NAME/binding` for `…/bindings`, which has the name of the pod in the body.
    public static ObjectPath bindingOfPod(ObjectPath path, RequestDocument document) {
        var binding = document.object("v1", "Binding");
        var pod = binding.objectOrEmpty("metadata").text("name");
        if (pod.isEmpty()) {
            throw ApiError.badRequest("name must be provided").exception();
        }
        return new ObjectPath("", "v1", path.namespace(), "pods", pod, "binding");
    }

    private JsonObject executeAuthorized(User user, ObjectOperation operation) {
        var path = operation.path();
        var resource = resource(path, operation.verb());
        var subresource = subresource(resource, path, operation.verb());
        if (subresource.isPresent()) {
            return execute(user, resource, subresource.get(), operation).object();
        }
        return switch (operation) {
            case ObjectOperation.Get get ->
                    resource.fromInternal(path.version(), StoredObjects.tree(get(resource, get)));
            case ObjectOperation.List list ->
                    ObjectLists.of(resource, path.version(), list(resource, list));
            case ObjectOperation.Write write ->
                    resource.fromInternal(path.version(), write(user, resource, write).object());
            case ObjectOperation.Delete delete -> {
                var deleted = delete(user, resource, delete);
                yield DeletionStatus.of(resource, deleted)
                        .orElseGet(() -> resource.fromInternal(path.version(), deleted.object()));
            }
        };
    }

    /// The kind that is served at a path; rejects a path or verb that does not fit its scope.
    public Resource resource(ObjectPath path, Verb verb) {
        var resource =
                registry.resources()
                        .byPath(path.group(), path.version(), path.plural())
                        .orElseThrow(() -> ApiError.noSuchPath().exception());
        var inNamespace = !path.namespace().isEmpty();
        if (inNamespace && !resource.isNamespaced()) {
            throw ApiError.noSuchPath().exception();
        }
        if (!inNamespace && resource.isNamespaced() && !verb.isOfCollection()) {
            throw (path.name().isEmpty() ? ApiError.methodNotAllowed() : ApiError.noSuchPath())
                    .exception();
        }
        if (!path.subresource().isEmpty()
                && (verb == Verb.DELETE || verb == Verb.LIST || verb == Verb.WATCH)) {
            throw ApiError.methodNotAllowed().exception();
        }
        return resource;
    }

    /// The subresource at a path, if it has rules of its own, unlike the plain `/status`. Rejects a
    /// verb that the kind or the subresource does not have.
    public static Optional<Subresource> subresource(Resource resource, ObjectPath path, Verb verb) {
        var name = path.subresource();
        if (name.isEmpty() || (name.equals("status") && resource.hasStatus())) {
            if (name.isEmpty() && !resource.verbs().contains(verb.word())) {
                throw ApiError.methodNotAllowed().exception();
            }
            return Optional.empty();
        }
        var subresource = resource.subresource(name);
        if (!subresource
                .orElseThrow(() -> ApiError.noSuchPath().exception())
                .verbs()
                .contains(verb.word())) {
            throw ApiError.methodNotAllowed().exception();
        }
        return subresource;
    }

    /// Executes an operation on a subresource with rules of its own.
    public SubresourceResult execute(
            User user, Resource resource, Subresource subresource, ObjectOperation operation) {
        return subresources.execute(target(user, resource, operation), subresource, operation);
    }

    public Entry get(Resource resource, ObjectOperation.Get operation) {
        var path = operation.path();
        return registry.reads()
                .get(resource, path.namespace(), path.name(), operation.resourceVersion());
    }

    public ObjectReads.Page list(Resource resource, ObjectOperation.List operation) {
        return registry.reads()
                .list(resource, operation.path().namespace(), operation.options().query(resource));
    }

    public ObjectWrites.Written write(
            User user, Resource resource, ObjectOperation.Write operation) {
        var target = target(user, resource, operation);
        return switch (operation) {
            case ObjectOperation.Create create -> create(target, create);
            case ObjectOperation.Update update -> update(target, update);
            case ObjectOperation.Patch patch -> patches.patch(target, patch);
            case ObjectOperation.Apply apply -> patches.apply(target, apply);
        };
    }

    private ObjectWrites.Written create(ObjectTarget target, ObjectOperation.Create operation) {
        var decoded = decoder.object(target, operation);
        return registry.writes()
                .create(
                        target.resource(),
                        decoded.object(),
                        target.context(),
                        target.fieldManager(operation.options()))
                .withDecodingWarnings(decoded.warnings());
    }

    private ObjectWrites.Written update(ObjectTarget target, ObjectOperation.Update operation) {
        var decoded = decoder.object(target, operation);
        return registry.writes()
                .update(
                        target.resource(),
                        target.part(),
                        target.name(),
                        decoded.object(),
                        target.context(),
                        target.fieldManager(operation.options()))
                .withDecodingWarnings(decoded.warnings());
    }

    public ObjectDeletes.Deleted delete(
            User user, Resource resource, ObjectOperation.Delete operation) {
        return registry.deletes()
                .delete(
                        resource,
                        operation.path().name(),
                        operation.options(),
                        target(user, resource, operation).context());
    }

    private ObjectTarget target(User user, Resource resource, ObjectOperation operation) {
        var dryRun =
                switch (operation) {
                    case ObjectOperation.Get _, ObjectOperation.List _ -> false;
                    case ObjectOperation.Write write -> write.options().dryRun();
                    case ObjectOperation.Delete delete -> delete.dryRun();
                };
        var path = operation.path();
        return new ObjectTarget(
                resource, path, context(user, operation.verb(), path.namespace(), dryRun));
    }

    /// The context of an operation, for admission rules and strategies.
    public RequestContext context(User user, Verb verb, String namespace, boolean dryRun) {
        return new RequestContext(
                user,
                verb.word(),
                namespace,
                registry.clock().instant(),
                dryRun,
                registry.gates(),
                registry.authorizer(),
                registry.objects());
    }
}
