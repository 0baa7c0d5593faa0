package dev.berth.server.auth;

import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.JsonWriter;
import dev.berth.server.registry.StoredObjects;
import dev.berth.server.store.CollectionScope;
import dev.berth.server.store.Entry;
import dev.berth.server.store.ObjectKey;
import dev.berth.server.store.Store;
import dev.berth.server.store.Watch;
import dev.berth.server.store.WriteResult;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/// Reconciles stored roles: creates and repairs default roles, and writes the rules of aggregated
/// roles.
public final class RoleReconciler {

    /// Maximum number of attempts after conflicts with concurrent writes.
    private static final int MAX_ATTEMPTS = 10;

    private static final String CLUSTER_ROLES = RbacIndex.GROUP + "/clusterroles";

    private final Store store;
    private final Rbac rbac;
    private final Clock clock;
    private final Supplier<String> uids;

    /// @param uids generates UIDs
    public RoleReconciler(Store store, Rbac rbac, Clock clock, Supplier<String> uids) {
        this.store = store;
        this.rbac = rbac;
        this.clock = clock;
        this.uids = uids;
    }

    /// Creates missing default roles and bindings, and adds missing rules and subjects, unless the
    /// autoupdate annotation is `false`. Added rules and subjects are kept.
    public void reconcile() {
        DefaultRoles.all().forEach(this::reconcile);
        updateAggregatedRoles();
    }

    private void reconcile(JsonObject expected) {
        var metadata = expected.objectOrEmpty("metadata");
        var collection =
                RbacIndex.GROUP + "/" + expected.text("kind").toLowerCase(Locale.ROOT) + "s";
        var key = new ObjectKey(collection, metadata.text("namespace"), metadata.text("name"));
        if (store.get(key).isEmpty()) {
            store.create(key, bytes(created(expected)));
        } else {
            change(key, stored -> merged(stored, expected));
        }
    }

    private JsonObject created(JsonObject object) {
        var metadata =
                object.objectOrEmpty("metadata")
                        .with("uid", Json.of(uids.get()))
                        .with(
                                "creationTimestamp",
                                Json.of(
                                        clock.instant()
                                                .truncatedTo(ChronoUnit.SECONDS)
                                                .toString()));
        return object.with("metadata", metadata);
    }

    private static JsonObject merged(JsonObject stored, JsonObject expected) {
        var annotations = stored.objectOrEmpty("metadata").objectOrEmpty("annotations");
        if (annotations.text(DefaultRoles.AUTOUPDATE).equals("false")) {
            return stored;
        }
        var merged = stored;
        if (!RoleAggregation.isAggregated(expected)) {
            merged = withAll(merged, expected, "rules");
        } else if (!RoleAggregation.isAggregated(stored)) {
            merged = merged.with("aggregationRule", expected.objectOrEmpty("aggregationRule"));
        }
        return withLabels(withAll(merged, expected, "subjects"), expected);
    }

    private static JsonObject withAll(JsonObject stored, JsonObject expected, String list) {
        var items = new LinkedHashSet<>(stored.items(list));
        return items.addAll(expected.items(list))
                ? stored.with(list, Json.array(List.copyOf(items)))
                : stored;
    }

    private static JsonObject withLabels(JsonObject stored, JsonObject expected) {
        var metadata = stored.objectOrEmpty("metadata");
        var labels = metadata.objectOrEmpty("labels");
        for (var label :
                expected.objectOrEmpty("metadata").objectOrEmpty("labels").members().entrySet()) {
            if (!labels.has(label.getKey())) {
                labels = labels.with(label.getKey(), label.getValue());
            }
        }
        return labels.equals(metadata.objectOrEmpty("labels"))
                ? stored
                : stored.with("metadata", metadata.with("labels", labels));
    }

    /// Writes the rules of each aggregated cluster role when they have changed, for readers of the
    /// role. Authorization does not depend on this: it aggregates by itself.
    public void updateAggregatedRoles() {
        rbac.aggregatedRules()
                .forEach((name, rules) ->
                        change(
                                new ObjectKey(CLUSTER_ROLES, "", name),
                                role -> withAggregatedRules(role, rules)));
    }

    private static JsonObject withAggregatedRules(JsonObject role, List<PolicyRule> rules) {
        return PolicyRule.allOf(role).equals(rules) ? role : DefaultRoles.withRules(role, rules);
    }

    /// Updates aggregated roles whenever a cluster role changes, until the store is closed or the
    /// thread is interrupted.
    public void run() throws InterruptedException {
        while (true) {
            try (var watch = store.watch(CollectionScope.all(CLUSTER_ROLES), store.revision())) {
                updateAggregatedRoles();
                if (!watchChanges(watch)) {
                    return;
                }
            }
        }
    }

    private boolean watchChanges(Watch watch) throws InterruptedException {
        while (true) {
            switch (watch.next(Watch.FOREVER)) {
                case Watch.Changes(var changes, _) -> {
                    if (!changes.isEmpty()) {
                        updateAggregatedRoles();
                    }
                }
                case Watch.TooOld _ -> {
                    return true;
                }
                case Watch.Ended _ -> {
                    return false;
                }
            }
        }
    }

    private void change(ObjectKey key, UnaryOperator<JsonObject> change) {
        for (var attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
            var stored = store.get(key);
            if (stored.isEmpty() || !conflicts(key, stored.get(), change)) {
                return;
            }
        }
    }

    private boolean conflicts(ObjectKey key, Entry stored, UnaryOperator<JsonObject> change) {
        var before = StoredObjects.tree(stored);
        var after = change.apply(before);
        return !after.equals(before)
                && store.update(key, stored.revision(), bytes(after))
                        instanceof WriteResult.Conflict;
    }

    /// Without resourceVersion, which the store assigns.
    private static byte[] bytes(JsonObject object) {
        var metadata = object.objectOrEmpty("metadata").without("resourceVersion");
        return JsonWriter.compact(object.with("metadata", metadata))
                .getBytes(StandardCharsets.UTF_8);
    }
}
