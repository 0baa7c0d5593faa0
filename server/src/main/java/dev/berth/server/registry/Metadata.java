package dev.berth.server.registry;

import dev.berth.core.admission.field.FieldError;
import dev.berth.model.json.FieldPath;
import dev.berth.model.json.Json;
import dev.berth.model.json.Json.JsonArray;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.JsonObjectBuilder;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/// Metadata of objects, in particular the fields that the server sets.
final class Metadata {

    static final String NAME = "name";
    static final String GENERATE_NAME = "generateName";
    static final String NAMESPACE = "namespace";
    static final String UID = "uid";
    static final String REVISION = "resourceVersion";
    static final String CREATED = "creationTimestamp";
    static final String DELETED = "deletionTimestamp";
    static final String GRACE = "deletionGracePeriodSeconds";
    static final String GENERATION = "generation";
    static final String FINALIZERS = "finalizers";

    /// Maximum length of `generateName` that is used for a name.
    private static final int MAX_GENERATED_BASE = 58;

    private static final Set<String> SET_BY_SERVER =
            Set.of(UID, CREATED, DELETED, GRACE, "selfLink");
    private static final List<String> KEPT_IN_ORDER =
            List.of(UID, CREATED, DELETED, GRACE, REVISION, GENERATION);
    private static final Set<String> KEPT =
            Set.of(UID, CREATED, DELETED, GRACE, REVISION, GENERATION, "selfLink");

    /// Number of members that most objects get in addition to those of the client.
    private static final int ADDITIONAL_MEMBERS = 4;

    private Metadata() {}

    static JsonObject of(JsonObject object) {
        return object.objectOrEmpty("metadata");
    }

    static String name(JsonObject object) {
        return of(object).text(NAME);
    }

    static String uid(JsonObject object) {
        return of(object).text(UID);
    }

    static boolean isBeingDeleted(JsonObject object) {
        return of(object).has(DELETED);
    }

    static List<String> finalizers(JsonObject object) {
        return of(object).strings(FINALIZERS);
    }

    static JsonObject with(JsonObject object, String name, Json value) {
        return object.with("metadata", of(object).with(name, value));
    }

    static JsonObject without(JsonObject object, String name) {
        return object.with("metadata", of(object).without(name));
    }

    static JsonObject withFinalizers(JsonObject object, List<String> finalizers) {
        return finalizers.isEmpty()
                ? without(object, FINALIZERS)
                : with(
                        object,
                        FINALIZERS,
                        new JsonArray(finalizers.stream().<Json>map(Json::of).toList()));
    }

    /// An object to be created: with a UID and the namespace of the request.
    static JsonObject created(
            Resource resource, JsonObject object, RequestContext context, IdSource ids) {
        var given = of(object);
        // A dry run stores nothing, so it accepts any resourceVersion.
        if (!given.text(REVISION).isEmpty() && !context.dryRun()) {
            throw ApiError.badRequest("resourceVersion should not be set on objects to be created")
                    .exception();
        }
        var name = nameOf(given, ids);
        // Clients that cannot omit the generation send zero.
        var hasGeneration = given.number(GENERATION).orElse(1) != 0;
        var members = new JsonObjectBuilder(given.size() + ADDITIONAL_MEMBERS);
        if (!name.isEmpty()) {
            members.put(NAME, Json.of(name));
        }
        copy(
                given,
                members,
                member ->
                        !member.equals(NAME)
                                && !SET_BY_SERVER.contains(member)
                                && (hasGeneration || !member.equals(GENERATION))
                                // Kubernetes ignores a namespace that a cluster-wide object claims
                                // to be in.
                                && (resource.isNamespaced() || !member.equals(NAMESPACE)));
        if (resource.isNamespaced()) {
            members.put(NAMESPACE, Json.of(namespace(given, context.namespace())));
        }
        members.put(UID, Json.of(ids.uid()));
        members.put(CREATED, ApiTimes.of(context.now()));
        return object.with("metadata", members.done());
    }

    private static void copy(JsonObject from, JsonObjectBuilder to, Predicate<String> wanted) {
        for (var at = 0; at < from.size(); at++) {
            if (wanted.test(from.nameAt(at))) {
                to.put(from.nameAt(at), from.valueAt(at));
            }
        }
    }

    private static String nameOf(JsonObject metadata, IdSource ids) {
        var base = metadata.text(GENERATE_NAME);
        if (!metadata.text(NAME).isEmpty() || base.isEmpty()) {
            return metadata.text(NAME);
        }
        return base.substring(0, Math.min(base.length(), MAX_GENERATED_BASE)) + ids.suffix();
    }

    private static String namespace(JsonObject given, String requested) {
        var written = given.text(NAMESPACE);
        if (!written.isEmpty() && !written.equals(requested)) {
            throw ApiError.badRequest(
                            "the namespace of the provided object does not match the namespace"
                                    + " sent on the request")
                    .exception();
        }
        return requested;
    }

    /// An object that replaces another: fields that the server sets are kept.
    static JsonObject replacing(Resource resource, JsonObject old, JsonObject object) {
        checkIdentity(resource, old, object);
        var before = of(old);
        var members = new JsonObjectBuilder(before.size() + ADDITIONAL_MEMBERS);
        members.put(NAME, Json.of(before.text(NAME)));
        copy(
                of(object),
                members,
                member ->
                        !member.equals(NAME)
                                && !KEPT.contains(member)
                                && (resource.isNamespaced() || !member.equals(NAMESPACE)));
        if (resource.isNamespaced()) {
            members.put(NAMESPACE, Json.of(before.text(NAMESPACE)));
        }
        for (var kept : KEPT_IN_ORDER) {
            if (before.has(kept)) {
                members.put(kept, before.memberOrNull(kept));
            }
        }
        return object.with("metadata", members.done());
    }

    /// The object with the generation of another, which was computed by the rules of a subresource.
    static JsonObject withGenerationOf(JsonObject hasGeneration, JsonObject object) {
        return of(hasGeneration)
                .member(GENERATION)
                .map(generation -> with(object, GENERATION, generation))
                .orElse(object);
    }

    private static void checkIdentity(Resource resource, JsonObject old, JsonObject object) {
        var before = of(old);
        var now = of(object);
        var about = resource.about(before.text(NAME));
        if (!now.text(NAME).equals(before.text(NAME))) {
            throw ApiError.badRequest(
                            "the name of the object (%s) does not match the name on the URL (%s)"
                                    .formatted(now.text(NAME), before.text(NAME)))
                    .exception();
        }
        if (resource.isNamespaced()
                && !now.text(NAMESPACE).isEmpty()
                && !now.text(NAMESPACE).equals(before.text(NAMESPACE))) {
            throw ApiError.badRequest(
                            "the namespace of the object (%s) does not match the namespace on the"
                                            .formatted(now.text(NAMESPACE))
                                    + " URL (%s)".formatted(before.text(NAMESPACE)))
                    .exception();
        }
        if (!now.text(UID).isEmpty() && !now.text(UID).equals(before.text(UID))) {
            throw ApiError.conflict(
                            about,
                            "Precondition failed: UID in precondition: %s, UID in object meta: %s"
                                    .formatted(now.text(UID), before.text(UID)))
                    .exception();
        }
        checkRevision(resource, about, before.text(REVISION), now.text(REVISION));
    }

    private static void checkRevision(
            Resource resource, ApiError.About about, String before, String now) {
        if (now.isEmpty()) {
            if (resource.updateNeedsRevision()) {
                throw ApiError.invalid(
                                about,
                                List.of(
                                        FieldError.invalid(
                                                FieldPath.of("metadata", REVISION),
                                                Json.of(0),
                                                "must be specified for an update")))
                        .exception();
            }
        } else if (!now.equals(before)) {
            throw ApiError.modified(about).exception();
        }
    }

    /// An object whose deletion has started.
    static JsonObject terminating(JsonObject object, Instant gone, long graceSeconds) {
        var marked = with(object, DELETED, ApiTimes.of(gone));
        marked = with(marked, GRACE, Json.of(graceSeconds));
        var generation = of(marked).number(GENERATION);
        return generation.isPresent()
                ? with(marked, GENERATION, Json.of(generation.getAsLong() + 1))
                : marked;
    }
}
