package dev.berth.server.registry;

import dev.berth.model.json.Json;
import dev.berth.model.json.Json.JsonArray;
import dev.berth.model.json.JsonObject;
import dev.berth.server.store.Write;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/// Rules that look beyond the object that is written: at its namespace, at who writes, at quotas.
public final class Gatekeepers {

    /// A rule of that kind. It throws [Refused].
    public interface Rule {
        default void onCreate(Resource resource, JsonObject object, Call call) {}

        default void onUpdate(
                Resource resource,
                Writes.Part part,
                JsonObject old,
                JsonObject object,
                Call call) {}

        default void onDelete(Resource resource, JsonObject object, Call call) {}
    }

    /// Holds what is written against something of which there is only so much. Both throw [Refused]
    /// when there is no room.
    public interface Guard {
        /// Takes, then writes, and gives back when nothing was written.
        Write guarded(Wish wish, Supplier<Write> writing);

        /// Looks whether there is room, and takes nothing.
        void check(Wish wish);
    }

    /// What somebody wants to write.
    ///
    /// @param old what the object replaces; empty when it is new
    public record Wish(
            Resource resource, String namespace, Optional<JsonObject> old, JsonObject object) {}

    private final List<Rule> rules;
    private final List<Guard> guards;

    public Gatekeepers(List<Rule> rules, List<Guard> guards) {
        this.rules = List.copyOf(rules);
        this.guards = List.copyOf(guards);
    }

    /// No rules but that of the namespace.
    public static Gatekeepers none() {
        return new Gatekeepers(List.of(), List.of());
    }

    /// Nothing is created in a namespace that is not there or about to go.
    void checkNamespace(Resource resource, JsonObject object, Call call) {
        if (!resource.isNamespaced()) {
            return;
        }
        var name = call.namespace();
        var namespace =
                call.objects()
                        .get("namespaces", "", name)
                        .orElseThrow(() ->
                                Failure.notFound(
                                                new Failure.About(
                                                        "", "namespaces", "Namespace", name))
                                        .refused());
        if (Metadata.isBeingDeleted(namespace)) {
            var why =
                    "unable to create new content in namespace %s because it is being terminated"
                            .formatted(name);
            var failure = Failure.forbidden(resource.about(Metadata.name(object)), why);
            var cause =
                    JsonObject.of("reason", Json.of("NamespaceTerminating"))
                            .with("message", Json.of("namespace " + name + " is being terminated"))
                            .with("field", Json.of("metadata.namespace"));
            throw new Failure(
                            failure.code(),
                            failure.reason(),
                            failure.message(),
                            failure.details().with("causes", new JsonArray(List.of(cause))))
                    .refused();
        }
    }

    void checkCreate(Resource resource, JsonObject object, Call call) {
        rules.forEach(rule -> rule.onCreate(resource, object, call));
    }

    void checkUpdate(
            Resource resource, Writes.Part part, JsonObject old, JsonObject object, Call call) {
        rules.forEach(rule -> rule.onUpdate(resource, part, old, object, call));
    }

    void checkDelete(Resource resource, JsonObject object, Call call) {
        rules.forEach(rule -> rule.onDelete(resource, object, call));
    }

    Write guarded(Wish wish, Supplier<Write> writing) {
        var guarded = writing;
        for (var guard : guards) {
            var inner = guarded;
            guarded = () -> guard.guarded(wish, inner);
        }
        return guarded.get();
    }

    void check(Wish wish) {
        guards.forEach(guard -> guard.check(wish));
    }
}
