package dev.berth.server.auth;

import dev.berth.core.text.GoText;
import dev.berth.model.json.JsonObject;
import dev.berth.server.access.User;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;

/// Immutable index of granted rules by user and group.
final class RbacIndex {

    static final String GROUP = "rbac.authorization.k8s.io";

    /// The rules that a binding grants to a subject.
    ///
    /// @param missing message about a role that does not exist; empty when it exists
    record Grant(String description, List<PolicyRule> rules, String missing) {}

    /// Stored roles and bindings by path within the collection.
    record Roles(
            SortedMap<String, JsonObject> clusterRoles,
            SortedMap<String, JsonObject> roles,
            SortedMap<String, JsonObject> clusterBindings,
            SortedMap<String, JsonObject> bindings) {

        Roles() {
            this(new TreeMap<>(), new TreeMap<>(), new TreeMap<>(), new TreeMap<>());
        }
    }

    private final Map<String, List<PolicyRule>> clusterRules = new HashMap<>();
    private final Map<String, List<PolicyRule>> roleRules = new HashMap<>();

    /// Cluster-wide grants by subject.
    private final Map<String, List<Grant>> clusterGrants = new HashMap<>();

    /// Grants by namespace and subject.
    private final Map<String, Map<String, List<Grant>>> namespaceGrants = new HashMap<>();

    RbacIndex(Roles stored) {
        var aggregation = new RoleAggregation(stored.clusterRoles);
        stored.clusterRoles.forEach(
                (name, role) -> clusterRules.put(name, aggregation.rules(role)));
        stored.roles.forEach((path, role) -> roleRules.put(path, PolicyRule.allOf(role)));
        stored.clusterBindings.values().forEach(binding -> add(binding, "", clusterGrants));
        for (var binding : stored.bindings.values()) {
            var namespace = binding.objectOrEmpty("metadata").text("namespace");
            add(
                    binding,
                    namespace,
                    namespaceGrants.computeIfAbsent(namespace, _ -> new HashMap<>()));
        }
    }

    private void add(JsonObject binding, String namespace, Map<String, List<Grant>> to) {
        var role = binding.objectOrEmpty("roleRef");
        var rules = rules(role.text("kind"), role.text("name"), namespace);
        var missing = rules.isPresent() ? "" : notFound(role.text("kind"), role.text("name"));
        for (var subject : binding.objects("subjects")) {
            key(subject, namespace)
                    .ifPresent(key ->
                            to.computeIfAbsent(key, _ -> new ArrayList<>())
                                    .add(
                                            new Grant(
                                                    description(binding, namespace, subject),
                                                    rules.orElse(List.of()),
                                                    missing)));
        }
    }

    /// The rules of a role that a binding refers to; empty when the role does not exist.
    ///
    /// @param namespace namespace of the binding
    Optional<List<PolicyRule>> rules(String kind, String name, String namespace) {
        return switch (kind) {
            case "ClusterRole" -> Optional.ofNullable(clusterRules.get(name));
            case "Role" -> Optional.ofNullable(roleRules.get(namespace + "/" + name));
            default -> Optional.empty();
        };
    }

    static String notFound(String kind, String name) {
        return "%s.%s %s not found"
                .formatted(kind.toLowerCase(Locale.ROOT), GROUP, GoText.quote(name));
    }

    private static Optional<String> key(JsonObject subject, String namespace) {
        var name = subject.text("name");
        return switch (subject.text("kind")) {
            case "User" -> Optional.of(userKey(name));
            case "Group" -> Optional.of(groupKey(name));
            case "ServiceAccount" -> {
                var own = subject.text("namespace");
                var where = own.isEmpty() ? namespace : own;
                yield where.isEmpty()
                        ? Optional.empty()
                        : Optional.of(userKey(ServiceAccountName.of(where, name).userName()));
            }
            default -> Optional.empty();
        };
    }

    private static String userKey(String name) {
        return "u:" + name;
    }

    private static String groupKey(String name) {
        return "g:" + name;
    }

    private static String description(JsonObject binding, String namespace, JsonObject subject) {
        var name = binding.objectOrEmpty("metadata").text("name");
        var role = binding.objectOrEmpty("roleRef");
        return "%s %s of %s %s to %s"
                .formatted(
                        namespace.isEmpty() ? "ClusterRoleBinding" : "RoleBinding",
                        GoText.quote(namespace.isEmpty() ? name : name + "/" + namespace),
                        role.text("kind"),
                        GoText.quote(role.text("name")),
                        description(subject, namespace));
    }

    private static String description(JsonObject subject, String namespace) {
        var kind = subject.text("kind");
        var name = subject.text("name");
        if (kind.equals("ServiceAccount")) {
            var own = subject.text("namespace");
            name += "/" + (own.isEmpty() ? namespace : own);
        }
        return kind + " " + GoText.quote(name);
    }

    /// The first grant of a user that matches: cluster-wide ones first, then those in the
    /// namespace.
    ///
    /// @param namespace empty for cluster-wide grants only
    Optional<Grant> find(User user, String namespace, Predicate<Grant> predicate) {
        var found = find(user, clusterGrants, predicate);
        return found.isPresent() || namespace.isEmpty()
                ? found
                : find(user, namespaceGrants.getOrDefault(namespace, Map.of()), predicate);
    }

    private static Optional<Grant> find(
            User user, Map<String, List<Grant>> grants, Predicate<Grant> predicate) {
        if (grants.isEmpty()) {
            return Optional.empty();
        }
        for (var grant : grants.getOrDefault(userKey(user.name()), List.of())) {
            if (predicate.test(grant)) {
                return Optional.of(grant);
            }
        }
        for (var group : user.groups()) {
            for (var grant : grants.getOrDefault(groupKey(group), List.of())) {
                if (predicate.test(grant)) {
                    return Optional.of(grant);
                }
            }
        }
        return Optional.empty();
    }
}
