package dev.berth.dashboard.fleet;

import dev.berth.dashboard.watch.ClusterWatch;
import dev.berth.model.api.claim.ConsumerReference;
import dev.berth.model.api.claim.ResourceClaim;
import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.api.pod.Pod;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// The claims that hold devices, with a number that a claim keeps while it exists.
final class HolderTable {

    private final ClusterWatch watch;
    private final Map<Key, Holder> holders = new LinkedHashMap<>();
    private final List<JsonObject> changed = new ArrayList<>();
    private int next;

    /// Identifies a claim; a recreated one is another holder.
    private record Key(ObjectRef claim, String uid) {}

    private record Holder(int id, JsonObject json) {}

    HolderTable(ClusterWatch watch) {
        this.watch = watch;
    }

    /// The number of a claim. Notes the holder as changed when its pods or names changed.
    int id(ResourceClaim claim) {
        var key = new Key(claim.ref(), claim.metadata().uid().value());
        var known = holders.get(key);
        var id = known == null ? next++ : known.id;
        var json = json(id, claim);
        if (known == null || !known.json.equals(json)) {
            holders.put(key, new Holder(id, json));
            changed.add(json);
        }
        return id;
    }

    /// Forgets the claims that no longer exist or hold nothing.
    void retain(Set<ObjectRef> claims) {
        holders.keySet().removeIf(key -> !claims.contains(key.claim));
    }

    List<JsonObject> all() {
        return holders.values().stream().map(Holder::json).toList();
    }

    /// The holders that changed since the last call.
    List<JsonObject> takeChanged() {
        var taken = List.copyOf(changed);
        changed.clear();
        return taken;
    }

    private JsonObject json(int id, ResourceClaim claim) {
        var users = claim.status().reservedFor();
        var pods =
                users.stream()
                        .filter(user -> !user.isPodGroup())
                        .map(ConsumerReference::name)
                        .toList();
        var first =
                pods.isEmpty()
                        ? Optional.<Pod>empty()
                        : watch.pods()
                                .find(new ObjectRef(claim.ref().namespace(), pods.getFirst()));
        var gang =
                users.stream()
                        .filter(ConsumerReference::isPodGroup)
                        .map(ConsumerReference::name)
                        .findFirst()
                        .or(() -> first.flatMap(pod -> pod.spec().podGroupName()))
                        .orElse("");
        var tree =
                JsonObject.of("id", Json.of(id))
                        .with("namespace", Json.of(claim.ref().namespace()))
                        .with("claim", Json.of(claim.ref().name()))
                        .with("pods", JsonLists.texts(pods))
                        .with("gang", Json.of(gang))
                        .with("owner", Json.of(first.map(PodOwner::text).orElse("")));
        var allocation = claim.status().allocation();
        var since = allocation.flatMap(one -> one.allocationTimestamp());
        tree = since.isPresent() ? tree.with("since", Json.of(since.get())) : tree;
        var isAdmin =
                allocation.stream()
                        .flatMap(one -> one.devices().stream())
                        .anyMatch(one -> one.isAdmin());
        return isAdmin ? tree.with("admin", Json.of(true)) : tree;
    }
}
