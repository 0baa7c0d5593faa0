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

/// Who was granted which rules, ready to be looked up by user and group. Not changed once made.
final class RbacIndex {

    static final String GROUP = "rbac.authorization.k8s.io";

    /// Rules that a binding gives to a subject.
    ///
    /// @param missing what to say of a role that does not exist; empty when it does
    record Grant(String description, List<PolicyRule> rules, String missing) {}

    /// What is stored, by path within the collection.
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

    /// Grants in the whole cluster, by subject.
    private final Map<String, List<Grant>> everywhere = new HashMap<>();

    /// Grants in a namespace, by namespace and subject.
    private final Map<String, Map<String, List<Grant>>> somewhere = new HashMap<>();

    RbacIndex(Roles stored) {
        var aggregation = new RoleAggregation(stored.clusterRoles);
        stored.clusterRoles.forEach(
                (name, role) -> clusterRules.put(name, aggregation.rules(role)));
        stored.roles.forEach((path, role) -> roleRules.put(path, PolicyRule.allOf(role)));
        stored.clusterBindings.values().forEach(binding -> add(binding, "", everywhere));
        for (var binding : stored.bindings.values()) {
            var namespace = binding.objectOrEmpty("metadata").text("namespace");
            add(binding, namespace, somewhere.computeIfAbsent(namespace, _ -> new HashMap<>()));
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
                                                    described(binding, namespace, subject),
                                                    rules.orElse(List.of()),
                                                    missing)));
        }
    }

    /// The rules of a role that a binding refers to; empty when there is no such role.
    ///
    /// @param namespace of the binding
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

    private static String described(JsonObject binding, String namespace, JsonObject subject) {
        var name = binding.objectOrEmpty("metadata").text("name");
        var role = binding.objectOrEmpty("roleRef");
        return "%s %s of %s %s to %s"
                .formatted(
                        namespace.isEmpty() ? "ClusterRoleBinding" : "RoleBinding",
                        GoText.quote(namespace.isEmpty() ? name : name + "/" + namespace),
                        role.text("kind"),
                        GoText.quote(role.text("name")),
                        described(subject, namespace));
    }

    private static String described(JsonObject subject, String namespace) {
        var kind = subject.text("kind");
        var name = subject.text("name");
        if (kind.equals("ServiceAccount")) {
            var own = subject.text("namespace");
            name += "/" + (own.isEmpty() ? namespace : own);
        }
        return kind + " " + GoText.quote(name);
    }

    /// Shows what a user was granted, until one is found that is wanted: in the whole cluster
    /// first, then in the namespace.
    ///
    /// @param namespace empty for what holds in the whole cluster only
    Optional<Grant> find(User user, String namespace, Predicate<Grant> wanted) {
        var found = find(user, everywhere, wanted);
        return found.isPresent() || namespace.isEmpty()
                ? found
                : find(user, somewhere.getOrDefault(namespace, Map.of()), wanted);
    }

    private static Optional<Grant> find(
            User user, Map<String, List<Grant>> grants, Predicate<Grant> wanted) {
        if (grants.isEmpty()) {
            return Optional.empty();
        }
        for (var grant : grants.getOrDefault(userKey(user.name()), List.of())) {
            if (wanted.test(grant)) {
                return Optional.of(grant);
            }
        }
        for (var group : user.groups()) {
            for (var grant : grants.getOrDefault(groupKey(group), List.of())) {
                if (wanted.test(grant)) {
                    return Optional.of(grant);
                }
            }
        }
        return Optional.empty();
    }
}
