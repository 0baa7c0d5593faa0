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

/// Decides by roles and bindings: what nobody granted is not allowed.
///
/// Rules are looked up in an index. It is made anew when a role or a binding has changed; a
/// decision between two such changes costs a few microseconds.
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

    /// Objects of the other scope grant nothing: earlier versions let a CustomResourceDefinition
    /// write cluster role bindings in a namespace.
    private CollectionFollower follower(
            String plural, boolean namespaced, Map<String, JsonObject> objects) {
        return new CollectionFollower(
                store,
                RbacIndex.GROUP + "/" + plural,
                new CollectionFollower.Reader() {
                    @Override
                    public void restart() {
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
    public AuthorizationDecision decide(AuthorizationRequest access) {
        var namespace =
                switch (access) {
                    case AuthorizationRequest.ToResource to -> to.namespace();
                    case AuthorizationRequest.ToPath _ -> "";
                };
        var missing = new LinkedHashSet<String>();
        var found =
                index().find(
                                access.user(),
                                namespace,
                                grant -> {
                                    if (!grant.missing().isEmpty()) {
                                        missing.add(grant.missing());
                                    }
                                    return allows(grant, access);
                                });
        return found.map(grant ->
                        AuthorizationDecision.allowed("RBAC: allowed by " + grant.description()))
                .orElseGet(() -> AuthorizationDecision.noOpinion(reason(missing)));
    }

    private static boolean allows(Grant grant, AuthorizationRequest access) {
        for (var rule : grant.rules()) {
            if (rule.allows(access)) {
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

    /// Everything that a user was granted in a namespace, each rule once.
    ///
    /// @param namespace empty for what holds in the whole cluster only
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

    /// The rules of a role that a binding refers to; empty when there is no such role.
    ///
    /// @param kind `ClusterRole` or `Role`
    /// @param namespace of the binding; empty for one of the whole cluster
    public Optional<List<PolicyRule>> rulesOfRole(String kind, String name, String namespace) {
        return index().rules(kind, name, namespace);
    }

    /// The rules of each cluster role that is a sum of others, by name.
    synchronized Map<String, List<PolicyRule>> aggregatedRules() {
        renewed();
        var aggregation = new RoleAggregation(stored.clusterRoles());
        var sums = new TreeMap<String, List<PolicyRule>>();
        for (var role : stored.clusterRoles().entrySet()) {
            if (RoleAggregation.isAggregated(role.getValue())) {
                sums.put(role.getKey(), aggregation.rules(role.getValue()));
            }
        }
        return sums;
    }

    private RbacIndex index() {
        var known = snapshot;
        return store.revision() == known.revision ? known.index : renewed();
    }

    private synchronized RbacIndex renewed() {
        var revision = store.revision();
        var known = snapshot;
        if (revision != known.revision) {
            known = new Snapshot(revision, catchUp() ? new RbacIndex(stored) : known.index);
            snapshot = known;
        }
        return known.index;
    }

    private boolean catchUp() {
        var changed = new ArrayList<Boolean>();
        followers.forEach(one -> changed.add(one.catchUp()));
        return changed.contains(true);
    }
}
