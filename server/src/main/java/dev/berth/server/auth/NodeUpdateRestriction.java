package dev.berth.server.auth;

import dev.berth.core.text.GoText;
import dev.berth.model.json.JsonObject;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/// Restricts the changes of a node to its own Node object: it must not attract workloads that are
/// meant for other nodes.
final class NodeUpdateRestriction {

    private static final String RESTRICTED = "node-restriction.kubernetes.io";

    /// Labels in the namespaces of Kubernetes that a node may set.
    private static final Set<String> ALLOWED_LABELS =
            Set.of(
                    "kubernetes.io/hostname",
                    "kubernetes.io/os",
                    "kubernetes.io/arch",
                    "beta.kubernetes.io/os",
                    "beta.kubernetes.io/arch",
                    "beta.kubernetes.io/instance-type",
                    "node.kubernetes.io/instance-type",
                    "failure-domain.beta.kubernetes.io/region",
                    "failure-domain.beta.kubernetes.io/zone",
                    "failure-domain.kubernetes.io/region",
                    "failure-domain.kubernetes.io/zone",
                    "topology.kubernetes.io/region",
                    "topology.kubernetes.io/zone");

    private static final List<String> ALLOWED_DOMAINS =
            List.of("kubelet.kubernetes.io", "node.kubernetes.io");

    private NodeUpdateRestriction() {}

    static Optional<String> problem(String node, NodeRestriction.WriteRequest request) {
        var name = GoText.quote(node);
        var target = request.name().isEmpty() ? nameOf(request.after()) : request.name();
        if (!target.equals(node)) {
            return Optional.of(
                    "node %s is not allowed to modify node %s"
                            .formatted(name, GoText.quote(target)));
        }
        return switch (request.operation()) {
            case CREATE -> {
                var labels = forbidden(JsonObject.EMPTY, NodeRestriction.labels(request.after()));
                yield NodeRestriction.require(
                        labels.isEmpty(),
                        "node %s is not allowed to set the following labels: %s"
                                .formatted(name, String.join(", ", labels)));
            }
            case UPDATE -> update(name, request.before(), request.after());
            case DELETE -> Optional.empty();
        };
    }

    private static Optional<String> update(String name, JsonObject before, JsonObject after) {
        if (!before.objectOrEmpty("spec")
                .items("taints")
                .equals(after.objectOrEmpty("spec").items("taints"))) {
            return Optional.of("node %s is not allowed to modify taints".formatted(name));
        }
        var labels = forbidden(NodeRestriction.labels(before), NodeRestriction.labels(after));
        if (!labels.isEmpty()) {
            return Optional.of("is not allowed to modify labels: " + String.join(", ", labels));
        }
        return NodeRestriction.require(
                owners(before).equals(owners(after)),
                "node %s is not allowed to modify ownerReferences".formatted(name));
    }

    private static List<JsonObject> owners(JsonObject node) {
        return node.objectOrEmpty("metadata").objects("ownerReferences");
    }

    private static String nameOf(JsonObject node) {
        return node.objectOrEmpty("metadata").text("name");
    }

    /// The changed labels that the node may not set.
    private static Set<String> forbidden(JsonObject before, JsonObject after) {
        var names = new TreeSet<>(before.names());
        names.addAll(after.names());
        names.removeIf(label -> before.member(label).equals(after.member(label)));
        names.removeIf(label -> !isForbidden(label));
        return names;
    }

    private static boolean isForbidden(String label) {
        var slash = label.indexOf('/');
        var domain = slash < 0 ? "" : label.substring(0, slash);
        if (isWithin(domain, RESTRICTED)) {
            return true;
        }
        return (isWithin(domain, "kubernetes.io") || isWithin(domain, "k8s.io"))
                && !ALLOWED_LABELS.contains(label)
                && ALLOWED_DOMAINS.stream().noneMatch(one -> isWithin(domain, one));
    }

    private static boolean isWithin(String domain, String other) {
        return domain.equals(other) || domain.endsWith("." + other);
    }
}
