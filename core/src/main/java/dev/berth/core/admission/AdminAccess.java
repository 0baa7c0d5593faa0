package dev.berth.core.admission;

import dev.berth.core.admission.field.FieldError;
import dev.berth.core.admission.validation.AdmissionKind;
import dev.berth.model.json.FieldPath;
import dev.berth.model.json.JsonObject;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/// Admission check of `adminAccess`: only namespaces with the label [#NAMESPACE_LABEL] may use it.
public final class AdminAccess {

    public static final String NAMESPACE_LABEL = "resource.kubernetes.io/admin-access";

    private AdminAccess() {}

    /// The labels of an object's namespace, or why they are unavailable.
    public sealed interface Namespace {

        record Found(Map<String, String> labels) implements Namespace {
            public Found {
                labels = Map.copyOf(labels);
            }
        }

        record Unavailable(String reason) implements Namespace {}
    }

    /// Checks a new claim or template. The namespace is read only when a request has `adminAccess`.
    public static List<FieldError> onCreate(
            AdmissionKind kind, JsonObject object, Supplier<Namespace> namespace) {
        var spec = object.objectOrEmpty("spec");
        var requests =
                switch (kind) {
                    case RESOURCE_CLAIM -> spec.objectOrEmpty("devices").objects("requests");
                    case RESOURCE_CLAIM_TEMPLATE ->
                            spec.objectOrEmpty("spec").objectOrEmpty("devices").objects("requests");
                    default -> List.<JsonObject>of();
                };
        for (var i = 0; i < requests.size(); i++) {
            if (isOn(requests.get(i).objectOrEmpty("exactly"))) {
                // Kubernetes reports this path for templates too, whose requests are one level
                // deeper.
                var path = FieldPath.of("spec", "devices", "requests").index(i);
                return check(path.child("adminAccess"), namespace.get());
            }
        }
        return List.of();
    }

    /// Checks a new allocation. An allocation that already has `adminAccess` is not checked again.
    public static List<FieldError> onStatusUpdate(
            JsonObject old, JsonObject claim, Supplier<Namespace> namespace) {
        return firstResult(old).isPresent()
                ? List.of()
                : firstResult(claim)
                        .map(path -> check(path.child("adminAccess"), namespace.get()))
                        .orElse(List.of());
    }

    private static Optional<FieldPath> firstResult(JsonObject claim) {
        var results =
                claim.objectOrEmpty("status")
                        .objectOrEmpty("allocation")
                        .objectOrEmpty("devices")
                        .objects("results");
        for (var i = 0; i < results.size(); i++) {
            if (isOn(results.get(i))) {
                return Optional.of(
                        FieldPath.of("status", "allocation", "devices", "results").index(i));
            }
        }
        return Optional.empty();
    }

    private static boolean isOn(JsonObject holder) {
        return holder.flag("adminAccess").orElse(false);
    }

    private static List<FieldError> check(FieldPath path, Namespace namespace) {
        return switch (namespace) {
            case Namespace.Found(var labels) ->
                    "true".equals(labels.get(NAMESPACE_LABEL))
                            ? List.of()
                            : List.of(
                                    FieldError.forbidden(
                                            path,
                                            "admin access to devices requires the `"
                                                    + NAMESPACE_LABEL
                                                    + ": true` label on the containing "
                                                    + "namespace"));
            case Namespace.Unavailable(var reason) ->
                    List.of(
                            FieldError.internal(
                                    path,
                                    "could not retrieve namespace to verify admin access: "
                                            + reason));
        };
    }
}
