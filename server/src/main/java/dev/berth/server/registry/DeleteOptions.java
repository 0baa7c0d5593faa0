package dev.berth.server.registry;

import dev.berth.core.admission.FieldError;
import dev.berth.model.json.FieldPath;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/// What a deletion was asked to do, beside deleting.
///
/// @param uid the object must be this one
/// @param revision the object must be of this revision
/// @param policy what becomes of dependents; empty when not said
public record DeleteOptions(
        OptionalLong graceSeconds,
        Optional<String> uid,
        Optional<String> revision,
        Optional<Policy> policy,
        boolean explicitlyCascading) {

    /// What becomes of objects that this one owns.
    public enum Policy {
        ORPHAN("Orphan"),
        BACKGROUND("Background"),
        FOREGROUND("Foreground");

        private final String word;

        Policy(String word) {
            this.word = word;
        }
    }

    public static final DeleteOptions NONE =
            new DeleteOptions(
                    OptionalLong.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    false);

    private static final ApiError.About ABOUT =
            new ApiError.About("meta.k8s.io", "deleteoptions", "DeleteOptions", "");

    /// Reads a body of kind `DeleteOptions`.
    ///
    /// Every version of every group has this kind: client-go names the version of the object that
    /// it deletes, other clients `v1` or `meta.k8s.io/v1`. The version is not looked at.
    public static DeleteOptions read(JsonObject body) {
        var kind = body.text("kind");
        if (!kind.isEmpty() && !kind.equals("DeleteOptions")) {
            throw ApiError.badRequest(
                            "the body of a deletion is of kind \"%s\"; expected DeleteOptions"
                                    .formatted(kind))
                    .exception();
        }
        var preconditions = body.objectOrEmpty("preconditions");
        var orphans = body.flag("orphanDependents");
        var word = body.string("propagationPolicy");
        var problems = new ArrayList<FieldError>();
        if (orphans.isPresent() && word.isPresent()) {
            problems.add(
                    FieldError.invalid(
                            FieldPath.of("propagationPolicy"),
                            word.get(),
                            "orphanDependents and deletionPropagation cannot be both set"));
        }
        var policy = orphans.map(orphan -> orphan ? Policy.ORPHAN : Policy.BACKGROUND);
        if (word.isPresent()) {
            policy = policyNamed(word.get());
            if (policy.isEmpty()) {
                problems.add(
                        FieldError.notSupported(
                                FieldPath.of("propagationPolicy"),
                                word.get(),
                                List.of("Background", "Foreground", "Orphan")));
            }
        }
        var grace = body.number("gracePeriodSeconds");
        if (!problems.isEmpty()) {
            throw ApiError.invalid(ABOUT, problems).exception();
        }
        return new DeleteOptions(
                grace,
                preconditions.string("uid"),
                preconditions.string("resourceVersion"),
                policy,
                orphans.map(orphan -> !orphan).orElse(false));
    }

    private static Optional<Policy> policyNamed(String word) {
        for (var one : Policy.values()) {
            if (one.word.equals(word)) {
                return Optional.of(one);
            }
        }
        return Optional.empty();
    }

    /// Refuses when the object is not the one that was meant.
    void check(Resource resource, JsonObject object) {
        var metadata = Metadata.of(object);
        uid.filter(wanted -> !wanted.equals(metadata.text(Metadata.UID)))
                .ifPresent(wanted -> refuse(resource, metadata, "UID", wanted, Metadata.UID));
        revision.filter(wanted -> !wanted.equals(metadata.text(Metadata.REVISION)))
                .ifPresent(wanted ->
                        refuse(resource, metadata, "ResourceVersion", wanted, Metadata.REVISION));
    }

    private static void refuse(
            Resource resource, JsonObject metadata, String word, String wanted, String field) {
        throw ApiError.conflict(
                        resource.about(metadata.text(Metadata.NAME)),
                        "Precondition failed: %s in precondition: %s, %s in object meta: %s"
                                .formatted(word, wanted, word, metadata.text(field)))
                .exception();
    }

    /// These options as a body, for those who delete from within.
    public static JsonObject body(String uid, long graceSeconds) {
        return JsonObject.of("preconditions", JsonObject.of("uid", Json.of(uid)))
                .with("gracePeriodSeconds", Json.of(graceSeconds));
    }
}
