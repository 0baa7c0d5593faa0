package dev.berth.core.admission;

import dev.berth.model.json.FieldPath;
import dev.berth.model.json.JsonObject;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/// Decides whether devices that others use may be looked into: only in namespaces that an
/// administrator has marked.
public final class AdminAccess {

    public static final String NAMESPACE_LABEL = "resource.kubernetes.io/admin-access";

    private AdminAccess() {}

    /// What is known about the namespace of an object.
    public sealed interface Namespace {

        record Found(Map<String, String> labels) implements Namespace {
            public Found {
                labels = Map.copyOf(labels);
            }
        }

        record Unavailable(String reason) implements Namespace {}
    }

    /// Judges a new claim or template. The namespace is asked for only when it matters.
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
                // The same place in a template, whose requests really are one level deeper.
                var path = FieldPath.of("spec", "devices", "requests").index(i);
                return judge(path.child("adminAccess"), namespace.get());
            }
        }
        return List.of();
    }

    /// Judges a new allocation. One that was granted before is not judged again.
    public static List<FieldError> onStatusUpdate(
            JsonObject old, JsonObject claim, Supplier<Namespace> namespace) {
        return firstResult(old).isPresent()
                ? List.of()
                : firstResult(claim)
                        .map(path -> judge(path.child("adminAccess"), namespace.get()))
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

    private static List<FieldError> judge(FieldPath path, Namespace namespace) {
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
