package dev.berth.server.registry;

import dev.berth.model.json.Json;
import dev.berth.model.json.Json.JsonArray;
import dev.berth.model.json.JsonObject;
import dev.berth.server.store.WriteResult;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

/// Admission control: rules that depend on more than the written object, such as its namespace, the
/// user, other objects or quotas. They apply to objects and to all their subresources.
public final class AdmissionChain {

    /// An admission rule. It rejects a request by throwing [ApiException], or returns warnings for
    /// the client.
    public interface Rule {
        default List<String> onCreate(
                Resource resource, JsonObject object, RequestContext context) {
            return List.of();
        }

        default List<String> onUpdate(
                Resource resource,
                ObjectWrites.Part part,
                JsonObject old,
                JsonObject object,
                RequestContext context) {
            return List.of();
        }

        default void onDelete(Resource resource, JsonObject object, RequestContext context) {}

        /// Checks a write of a subresource with rules of its own, such as `token`, `eviction` or
        /// `approval`, before it is executed. Resulting changes of objects are passed to the other
        /// methods as well.
        ///
        /// @param body the request body; for a patch, the patched subresource
        default void onSubresource(
                Resource resource,
                Subresource subresource,
                JsonObject parent,
                JsonObject body,
                RequestContext context) {}
    }

    /// Protects a limited resource, such as a quota or the devices of a pool, during a write. Both
    /// methods throw [ApiException] when the limit is exceeded.
    public interface Guard {
        /// Reserves, writes, and releases the reservation if nothing was written.
        WriteResult guardedWrite(PendingWrite pending, Supplier<WriteResult> write);

        /// Checks the limit without reserving anything.
        void check(PendingWrite pending);
    }

    /// An object that is about to be written.
    ///
    /// @param old the stored object that is replaced; empty on create
    public record PendingWrite(
            Resource resource, String namespace, Optional<JsonObject> old, JsonObject object) {

        /// The revision of the replaced object; 0 on create.
        public long revision() {
            return old.map(one -> Long.parseLong(Metadata.of(one).text(Metadata.REVISION)))
                    .orElse(0L);
        }
    }

    private final List<Rule> rules;
    private final List<Guard> guards;

    public AdmissionChain(List<Rule> rules, List<Guard> guards) {
        this.rules = List.copyOf(rules);
        this.guards = List.copyOf(guards);
    }

    /// A chain without rules: only the namespace of created objects is checked.
    public static AdmissionChain none() {
        return new AdmissionChain(List.of(), List.of());
    }

    /// Rejects the creation of objects in a namespace that does not exist or is terminating.
    void checkNamespace(Resource resource, JsonObject object, RequestContext context) {
        if (!resource.isNamespaced()) {
            return;
        }
        var name = context.namespace();
        var namespace =
                context.objects()
                        .get("namespaces", "", name)
                        .orElseThrow(() ->
                                ApiError.notFound(
                                                new ApiError.About(
                                                        "", "namespaces", "Namespace", name))
                                        .exception());
        if (Metadata.isBeingDeleted(namespace)) {
            var message =
                    "unable to create new content in namespace %s because it is being terminated"
                            .formatted(name);
            var error = ApiError.forbidden(resource.about(Metadata.name(object)), message);
            var cause =
                    JsonObject.of("reason", Json.of("NamespaceTerminating"))
                            .with("message", Json.of("namespace " + name + " is being terminated"))
                            .with("field", Json.of("metadata.namespace"));
            throw new ApiError(
                            error.code(),
                            error.reason(),
                            error.message(),
                            error.details().with("causes", new JsonArray(List.of(cause))))
                    .exception();
        }
    }

    List<String> checkCreate(Resource resource, JsonObject object, RequestContext context) {
        return all(rule -> rule.onCreate(resource, object, context));
    }

    List<String> checkUpdate(
            Resource resource,
            ObjectWrites.Part part,
            JsonObject old,
            JsonObject object,
            RequestContext context) {
        return all(rule -> rule.onUpdate(resource, part, old, object, context));
    }

    private List<String> all(Function<Rule, List<String>> check) {
        var warnings = List.<String>of();
        for (var rule : rules) {
            warnings = joinedWarnings(warnings, check.apply(rule));
        }
        return warnings;
    }

    static List<String> joinedWarnings(List<String> some, List<String> others) {
        if (others.isEmpty()) {
            return some;
        }
        return some.isEmpty()
                ? others
                : Stream.concat(some.stream(), others.stream()).distinct().toList();
    }

    void checkDelete(Resource resource, JsonObject object, RequestContext context) {
        rules.forEach(rule -> rule.onDelete(resource, object, context));
    }

    void checkSubresource(
            Resource resource,
            Subresource subresource,
            JsonObject parent,
            JsonObject body,
            RequestContext context) {
        rules.forEach(rule -> rule.onSubresource(resource, subresource, parent, body, context));
    }

    WriteResult guardedWrite(PendingWrite pending, Supplier<WriteResult> write) {
        var guardedWrite = write;
        for (var guard : guards) {
            var inner = guardedWrite;
            guardedWrite = () -> guard.guardedWrite(pending, inner);
        }
        return guardedWrite.get();
    }

    void check(PendingWrite pending) {
        guards.forEach(guard -> guard.check(pending));
    }
}
