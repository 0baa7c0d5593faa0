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

/// Admission: rules that look beyond the object that is written, at its namespace, at the user, at
/// other objects, at quotas. They apply to objects and to all their subresources.
public final class AdmissionChain {

    /// An admission rule. It throws [ApiException], or returns warnings for the client.
    public interface Rule {
        default List<String> onCreate(Resource resource, JsonObject object, RequestContext context) {
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

        /// A write of a subresource with rules of its own, such as `token`, `eviction` or
        /// `approval`, before it is carried out. Changes of objects that follow from it also come
        /// to the other methods.
        ///
        /// @param body what was sent; for patches, what they make of the subresource
        default void onSubresource(
                Resource resource,
                Subresource subresource,
                JsonObject parent,
                JsonObject body,
                RequestContext context) {}
    }

    /// Holds what is written against something of which there is only so much. Both throw
    /// [ApiException] when there is no room.
    public interface Guard {
        /// Takes, then writes, and gives back when nothing was written.
        WriteResult guarded(PendingWrite wish, Supplier<WriteResult> writing);

        /// Looks whether there is room, and takes nothing.
        void check(PendingWrite wish);
    }

    /// What somebody wants to write.
    ///
    /// @param old what the object replaces; empty when it is new
    public record PendingWrite(
            Resource resource, String namespace, Optional<JsonObject> old, JsonObject object) {

        /// The revision of what the object replaces; 0 when it is new.
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

    /// No rules but that of the namespace.
    public static AdmissionChain none() {
        return new AdmissionChain(List.of(), List.of());
    }

    /// Nothing is created in a namespace that is not there or about to go.
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
            var why =
                    "unable to create new content in namespace %s because it is being terminated"
                            .formatted(name);
            var failure = ApiError.forbidden(resource.about(Metadata.name(object)), why);
            var cause =
                    JsonObject.of("reason", Json.of("NamespaceTerminating"))
                            .with("message", Json.of("namespace " + name + " is being terminated"))
                            .with("field", Json.of("metadata.namespace"));
            throw new ApiError(
                            failure.code(),
                            failure.reason(),
                            failure.message(),
                            failure.details().with("causes", new JsonArray(List.of(cause))))
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
            warnings = joined(warnings, check.apply(rule));
        }
        return warnings;
    }

    static List<String> joined(List<String> some, List<String> others) {
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

    WriteResult guarded(PendingWrite wish, Supplier<WriteResult> writing) {
        var guarded = writing;
        for (var guard : guards) {
            var inner = guarded;
            guarded = () -> guard.guarded(wish, inner);
        }
        return guarded.get();
    }

    void check(PendingWrite wish) {
        guards.forEach(guard -> guard.check(wish));
    }
}
