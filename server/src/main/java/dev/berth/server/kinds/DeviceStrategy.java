package dev.berth.server.kinds;

import dev.berth.core.admission.AdminAccess;
import dev.berth.core.admission.Admission;
import dev.berth.core.admission.Admission.Admitted;
import dev.berth.core.admission.StatusAuthorization;
import dev.berth.core.admission.field.FieldError;
import dev.berth.core.admission.gate.Gate;
import dev.berth.core.admission.validation.AdmissionKind;
import dev.berth.model.json.Json.JsonString;
import dev.berth.model.json.JsonObject;
import dev.berth.server.access.AuthorizationRequest;
import dev.berth.server.kinds.check.ObjectChecks;
import dev.berth.server.registry.RequestContext;
import dev.berth.server.registry.Strategy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;

/// Strategy of the resource.k8s.io kinds: the admission of `core`, and authorization of status
/// changes and admin access.
final class DeviceStrategy implements Strategy {

    /// Validation in addition to that of `core`.
    @FunctionalInterface
    interface Extra {
        void check(JsonObject object, ObjectChecks checks);
    }

    private final Admission admission;
    private final AdmissionKind kind;
    private final Extra extra;

    DeviceStrategy(Admission admission, AdmissionKind kind) {
        this(admission, kind, (_, _) -> {});
    }

    DeviceStrategy(Admission admission, AdmissionKind kind, Extra extra) {
        this.admission = admission;
        this.kind = kind;
        this.extra = extra;
    }

    @Override
    public Admitted create(JsonObject object, RequestContext context) {
        var admitted = admission.create(kind, object, context.now());
        var more = new ArrayList<>(admitted.problems());
        more.addAll(AdminAccess.onCreate(kind, admitted.object(), () -> namespace(context)));
        return withErrors(admitted, more, context);
    }

    @Override
    public Admitted update(JsonObject old, JsonObject object, RequestContext context) {
        var admitted = admission.update(kind, old, object, context.now());
        return withErrors(admitted, new ArrayList<>(admitted.problems()), context);
    }

    private Admitted withErrors(
            Admitted admitted, List<FieldError> problems, RequestContext context) {
        var checks = new ObjectChecks(context);
        extra.check(admitted.object(), checks);
        problems.addAll(checks.found());
        return new Admitted(admitted.object(), problems, admitted.warnings());
    }

    @Override
    public Admitted updateStatus(JsonObject old, JsonObject object, RequestContext context) {
        var admitted = admission.updateStatus(kind, old, object, context.now());
        if (kind != AdmissionKind.RESOURCE_CLAIM) {
            return admitted;
        }
        var problems = new ArrayList<>(admitted.problems());
        problems.addAll(
                AdminAccess.onStatusUpdate(old, admitted.object(), () -> namespace(context)));
        if (context.gates().enabled(Gate.DRA_RESOURCE_CLAIM_GRANULAR_STATUS_AUTHORIZATION)) {
            problems.addAll(authorization(context).check(old, admitted.object()));
        }
        return new Admitted(admitted.object(), problems, admitted.warnings());
    }

    private static AdminAccess.Namespace namespace(RequestContext context) {
        var found = context.objects().get("namespaces", "", context.namespace());
        if (found.isEmpty()) {
            return new AdminAccess.Namespace.Unavailable(
                    "namespaces \"%s\" not found".formatted(context.namespace()));
        }
        var labels = new HashMap<String, String>();
        found.get()
                .objectOrEmpty("metadata")
                .objectOrEmpty("labels")
                .members()
                .forEach((name, value) ->
                        labels.put(name, value instanceof JsonString(var text) ? text : ""));
        return new AdminAccess.Namespace.Found(labels);
    }

    private static StatusAuthorization authorization(RequestContext context) {
        var user = context.user();
        return new StatusAuthorization(
                new StatusAuthorization.Caller(user.name(), user.extra()),
                context.verb(),
                access -> denialReason(access, context));
    }

    private static Optional<String> denialReason(
            StatusAuthorization.Access access, RequestContext context) {
        var request =
                AuthorizationRequest.ResourceAttributes.of(
                                context.user(),
                                access.verb(),
                                "resource.k8s.io",
                                "resourceclaims",
                                access.namespace())
                        .sub(access.subresource())
                        .named(access.name());
        var decision = context.authorizer().decide(request);
        return decision.isAllowed() ? Optional.empty() : Optional.of(decision.reason());
    }

    @Override
    public JsonObject defaults(JsonObject object, RequestContext context) {
        return admission.defaults(kind, object, context.now());
    }
}
