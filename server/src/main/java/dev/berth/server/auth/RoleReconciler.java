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

/// Keeps stored roles as they ought to be: the default ones are there, sums have their rules.
public final class RoleReconciler {

    /// Somebody else is faster at most so often in a row.
    private static final int MAX_ATTEMPTS = 10;

    private static final String CLUSTER_ROLES = RbacIndex.GROUP + "/clusterroles";

    private final Store store;
    private final Rbac rbac;
    private final Clock clock;
    private final Supplier<String> uids;

    /// @param uids gives a new uid each time
    public RoleReconciler(Store store, Rbac rbac, Clock clock, Supplier<String> uids) {
        this.store = store;
        this.rbac = rbac;
        this.clock = clock;
        this.uids = uids;
    }

    /// Puts default roles and bindings that are missing, and adds rules and subjects that were
    /// taken away, unless the annotation for this says `false`. What was added stays.
    public void reconcile() {
        DefaultRoles.all().forEach(this::reconcile);
        refreshSums();
    }

    private void reconcile(JsonObject wanted) {
        var metadata = wanted.objectOrEmpty("metadata");
        var collection = RbacIndex.GROUP + "/" + wanted.text("kind").toLowerCase(Locale.ROOT) + "s";
        var key = new ObjectKey(collection, metadata.text("namespace"), metadata.text("name"));
        if (store.get(key).isEmpty()) {
            store.create(key, bytes(born(wanted)));
        } else {
            change(key, present -> merged(present, wanted));
        }
    }

    private JsonObject born(JsonObject object) {
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

    private static JsonObject merged(JsonObject present, JsonObject wanted) {
        var annotations = present.objectOrEmpty("metadata").objectOrEmpty("annotations");
        if (annotations.text(DefaultRoles.AUTOUPDATE).equals("false")) {
            return present;
        }
        var merged = present;
        if (!RoleAggregation.isAggregated(wanted)) {
            merged = withAll(merged, wanted, "rules");
        } else if (!RoleAggregation.isAggregated(present)) {
            merged = merged.with("aggregationRule", wanted.objectOrEmpty("aggregationRule"));
        }
        return withLabels(withAll(merged, wanted, "subjects"), wanted);
    }

    private static JsonObject withAll(JsonObject present, JsonObject wanted, String list) {
        var items = new LinkedHashSet<>(present.items(list));
        return items.addAll(wanted.items(list))
                ? present.with(list, Json.array(List.copyOf(items)))
                : present;
    }

    private static JsonObject withLabels(JsonObject present, JsonObject wanted) {
        var metadata = present.objectOrEmpty("metadata");
        var labels = metadata.objectOrEmpty("labels");
        for (var label :
                wanted.objectOrEmpty("metadata").objectOrEmpty("labels").members().entrySet()) {
            if (!labels.has(label.getKey())) {
                labels = labels.with(label.getKey(), label.getValue());
            }
        }
        return labels.equals(metadata.objectOrEmpty("labels"))
                ? present
                : present.with("metadata", metadata.with("labels", labels));
    }

    /// Writes the rules of each cluster role that is a sum, where they have changed, so that
    /// readers see them. Decisions do not wait for this: they add up themselves.
    public void refreshSums() {
        rbac.aggregatedRules()
                .forEach((name, rules) ->
                        change(
                                new ObjectKey(CLUSTER_ROLES, "", name),
                                role -> withSum(role, rules)));
    }

    private static JsonObject withSum(JsonObject role, List<PolicyRule> rules) {
        return PolicyRule.allOf(role).equals(rules) ? role : DefaultRoles.withRules(role, rules);
    }

    /// Refreshes sums whenever a cluster role changes, until the store is closed or the thread is
    /// interrupted.
    public void run() throws InterruptedException {
        while (true) {
            try (var watch = store.watch(CollectionScope.all(CLUSTER_ROLES), store.revision())) {
                refreshSums();
                if (!follow(watch)) {
                    return;
                }
            }
        }
    }

    private boolean follow(Watch watch) throws InterruptedException {
        while (true) {
            switch (watch.next(Watch.FOREVER)) {
                case Watch.Changes(var changes, _) -> {
                    if (!changes.isEmpty()) {
                        refreshSums();
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
            var present = store.get(key);
            if (present.isEmpty() || !conflicts(key, present.get(), change)) {
                return;
            }
        }
    }

    private boolean conflicts(ObjectKey key, Entry present, UnaryOperator<JsonObject> change) {
        var before = StoredObjects.tree(present);
        var after = change.apply(before);
        return !after.equals(before)
                && store.update(key, present.revision(), bytes(after))
                        instanceof WriteResult.Conflict;
    }

    /// The revision is the store's to know.
    private static byte[] bytes(JsonObject object) {
        var metadata = object.objectOrEmpty("metadata").without("resourceVersion");
        return JsonWriter.compact(object.with("metadata", metadata))
                .getBytes(StandardCharsets.UTF_8);
    }
}
