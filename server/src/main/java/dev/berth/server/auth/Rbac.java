package dev.berth.server.auth;

import dev.berth.model.json.JsonObject;
import dev.berth.server.access.AuthorizationDecision;
import dev.berth.server.access.AuthorizationRequest;
import dev.berth.server.access.Authorizer;
import dev.berth.server.access.User;
import dev.berth.server.auth.RbacIndex.Grant;
import dev.berth.server.registry.StoredObjects;
import dev.berth.server.store.Entry;
import dev.berth.server.store.ObjectKey;
import dev.berth.server.store.Store;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/// The RBAC authorizer: allows what a role binding grants.
///
/// Rules are looked up in an index. It is rebuilt when a role or a binding has changed; a decision
/// between two such changes takes a few microseconds.
public final class Rbac implements Authorizer {

    private final Store store;
    // Guarded by this.
    private final RbacIndex.Roles stored = new RbacIndex.Roles();
    private final List<CollectionFollower> followers;

    private record Snapshot(long revision, RbacIndex index) {}

    private volatile Snapshot snapshot;

    public Rbac(Store store) {
        this.store = store;
        this.followers =
                List.of(
                        follower("clusterroles", false, stored.clusterRoles()),
                        follower("roles", true, stored.roles()),
                        follower("clusterrolebindings", false, stored.clusterBindings()),
                        follower("rolebindings", true, stored.bindings()));
        this.snapshot = new Snapshot(-1, new RbacIndex(stored));
    }

    /// Objects of the other scope are ignored: earlier versions allowed a CustomResourceDefinition
    /// to create cluster role bindings in a namespace.
    private CollectionFollower follower(
            String plural, boolean namespaced, Map<String, JsonObject> objects) {
        return new CollectionFollower(
                store,
                RbacIndex.GROUP + "/" + plural,
                new CollectionFollower.Index() {
                    @Override
                    public void clear() {
                        objects.clear();
                    }

                    @Override
                    public void put(Entry entry) {
                        if (entry.key().namespace().isEmpty() != namespaced) {
                            objects.put(entry.key().relativePath(), StoredObjects.tree(entry));
                        }
                    }

                    @Override
                    public void remove(ObjectKey key) {
                        objects.remove(key.relativePath());
                    }
                });
    }

    @Override
    public AuthorizationDecision decide(AuthorizationRequest request) {
        var namespace =
                switch (request) {
                    case AuthorizationRequest.ResourceAttributes attributes ->
                            attributes.namespace();
                    case AuthorizationRequest.NonResourceAttributes _ -> "";
                };
        var missing = new LinkedHashSet<String>();
        var found =
                index().find(
                                request.user(),
                                namespace,
                                grant -> {
                                    if (!grant.missing().isEmpty()) {
                                        missing.add(grant.missing());
                                    }
                                    return allows(grant, request);
                                });
        return found.map(grant ->
                        AuthorizationDecision.allowed("RBAC: allowed by " + grant.description()))
                .orElseGet(() -> AuthorizationDecision.noOpinion(reason(missing)));
    }

    private static boolean allows(Grant grant, AuthorizationRequest request) {
        for (var rule : grant.rules()) {
            if (rule.allows(request)) {
                return true;
            }
        }
        return false;
    }

    private static String reason(Set<String> missing) {
        return switch (missing.size()) {
            case 0 -> "";
            case 1 -> "RBAC: " + missing.iterator().next();
            default -> "RBAC: [" + String.join(", ", missing) + "]";
        };
    }

    /// All rules that a user is granted in a namespace, without duplicates.
    ///
    /// @param namespace empty for cluster-wide grants only
    public List<PolicyRule> rulesOf(User user, String namespace) {
        var rules = new LinkedHashSet<PolicyRule>();
        index().find(
                        user,
                        namespace,
                        grant -> {
                            rules.addAll(grant.rules());
                            return false;
                        });
        return List.copyOf(rules);
    }

    /// The rules of a role that a binding refers to; empty when the role does not exist.
    ///
    /// @param kind `ClusterRole` or `Role`
    /// @param namespace namespace of the binding; empty for a ClusterRoleBinding
    public Optional<List<PolicyRule>> rulesOfRole(String kind, String name, String namespace) {
        return index().rules(kind, name, namespace);
    }

    /// The rules of each aggregated cluster role, by name.
    synchronized Map<String, List<PolicyRule>> aggregatedRules() {
        refreshed();
        var aggregation = new RoleAggregation(stored.clusterRoles());
        var aggregated = new TreeMap<String, List<PolicyRule>>();
        for (var role : stored.clusterRoles().entrySet()) {
            if (RoleAggregation.isAggregated(role.getValue())) {
                aggregated.put(role.getKey(), aggregation.rules(role.getValue()));
            }
        }
        return aggregated;
    }

    private RbacIndex index() {
        var current = snapshot;
        return store.revision() == current.revision ? current.index : refreshed();
    }

    private synchronized RbacIndex refreshed() {
        var revision = store.revision();
        var current = snapshot;
        if (revision != current.revision) {
            current = new Snapshot(revision, catchUp() ? new RbacIndex(stored) : current.index);
            snapshot = current;
        }
        return current.index;
    }

    private boolean catchUp() {
        var changed = new ArrayList<Boolean>();
        followers.forEach(one -> changed.add(one.catchUp()));
        return changed.contains(true);
    }
}
