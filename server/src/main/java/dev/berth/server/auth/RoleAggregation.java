package dev.berth.server.auth;

import dev.berth.model.json.JsonObject;
import dev.berth.server.registry.LabelSelectorParser;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Aggregated cluster roles, which combine the rules of roles selected by labels.
final class RoleAggregation {

    private final Map<String, JsonObject> roles;

    /// @param roles all cluster roles by name, sorted
    RoleAggregation(Map<String, JsonObject> roles) {
        this.roles = roles;
    }

    static boolean isAggregated(JsonObject role) {
        return role.object("aggregationRule").isPresent();
    }

    /// The rules of a role: its own, or the aggregated ones. Aggregated roles may select aggregated
    /// roles; cycles are detected.
    List<PolicyRule> rules(JsonObject role) {
        var found = new LinkedHashSet<PolicyRule>();
        collect(role, found, new HashSet<>());
        return List.copyOf(found);
    }

    private void collect(JsonObject role, Collection<PolicyRule> found, Set<String> visited) {
        if (!visited.add(role.objectOrEmpty("metadata").text("name"))) {
            return;
        }
        if (!isAggregated(role)) {
            found.addAll(PolicyRule.allOf(role));
            return;
        }
        for (var tree : role.objectOrEmpty("aggregationRule").objects("clusterRoleSelectors")) {
            var selector = LabelSelectorParser.read(tree);
            for (var other : roles.values()) {
                if (selector.matches(other.objectOrEmpty("metadata").objectOrEmpty("labels"))) {
                    collect(other, found, visited);
                }
            }
        }
    }
}
