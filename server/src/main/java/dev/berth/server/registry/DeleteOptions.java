package dev.berth.server.registry;

import dev.berth.core.admission.field.FieldError;
import dev.berth.model.json.FieldPath;
import dev.berth.model.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/// The options of a delete request: grace period, preconditions and propagation policy.
///
/// @param uid precondition: UID of the object
/// @param revision precondition: resourceVersion of the object
/// @param policy how dependents are handled; empty if not specified
public record DeleteOptions(
        OptionalLong graceSeconds,
        Optional<String> uid,
        Optional<String> revision,
        Optional<Policy> policy,
        boolean explicitlyCascading) {

    /// How objects owned by the deleted one are handled.
    public enum Policy {
        ORPHAN("Orphan"),
        BACKGROUND("Background"),
        FOREGROUND("Foreground");

        private final String value;

        Policy(String value) {
            this.value = value;
        }
    }

    public static final DeleteOptions NONE =
            new DeleteOptions(
                    OptionalLong.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    false);

    /// Options with the precondition and the grace period that are present.
    public static DeleteOptions of(Optional<String> uid, OptionalLong graceSeconds) {
        return new DeleteOptions(graceSeconds, uid, Optional.empty(), Optional.empty(), false);
    }

    private static final ApiError.About ABOUT =
            new ApiError.About("meta.k8s.io", "deleteoptions", "DeleteOptions", "");

    /// Reads a body of kind `DeleteOptions`.
    ///
    /// This kind exists in every version of every group: client-go sends the version of the deleted
    /// object, other clients `v1` or `meta.k8s.io/v1`. The version is therefore ignored.
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
        var value = body.string("propagationPolicy");
        var problems = new ArrayList<FieldError>();
        if (orphans.isPresent() && value.isPresent()) {
            problems.add(
                    FieldError.invalid(
                            FieldPath.of("propagationPolicy"),
                            value.get(),
                            "orphanDependents and deletionPropagation cannot be both set"));
        }
        var policy = orphans.map(orphan -> orphan ? Policy.ORPHAN : Policy.BACKGROUND);
        if (value.isPresent()) {
            policy = policyNamed(value.get());
            if (policy.isEmpty()) {
                problems.add(
                        FieldError.notSupported(
                                FieldPath.of("propagationPolicy"),
                                value.get(),
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

    private static Optional<Policy> policyNamed(String value) {
        for (var policy : Policy.values()) {
            if (policy.value.equals(value)) {
                return Optional.of(policy);
            }
        }
        return Optional.empty();
    }

    /// Rejects the request if the object does not meet the preconditions.
    void check(Resource resource, JsonObject object) {
        var metadata = Metadata.of(object);
        uid.filter(expected -> !expected.equals(metadata.text(Metadata.UID)))
                .ifPresent(expected ->
                        preconditionFailed(resource, metadata, "UID", expected, Metadata.UID));
        revision.filter(expected -> !expected.equals(metadata.text(Metadata.REVISION)))
                .ifPresent(expected ->
                        preconditionFailed(
                                resource,
                                metadata,
                                "ResourceVersion",
                                expected,
                                Metadata.REVISION));
    }

    private static void preconditionFailed(
            Resource resource, JsonObject metadata, String value, String expected, String field) {
        throw ApiError.conflict(
                        resource.about(metadata.text(Metadata.NAME)),
                        "Precondition failed: %s in precondition: %s, %s in object meta: %s"
                                .formatted(value, expected, value, metadata.text(field)))
                .exception();
    }
}
