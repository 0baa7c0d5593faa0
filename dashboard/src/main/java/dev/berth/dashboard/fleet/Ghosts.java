package dev.berth.dashboard.fleet;

import dev.berth.core.snapshot.ClusterSnapshot;
import dev.berth.dashboard.watch.ClusterWatch;
import dev.berth.model.api.claim.ResourceClaim;
import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.api.node.Node;
import dev.berth.model.api.slice.DeviceId;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Allocated devices that no slice publishes, by node: of the pool, or of a pod that uses the
/// claim.
final class Ghosts {

    private final ClusterWatch watch;
    private final HolderTable holders;

    Ghosts(ClusterWatch watch, HolderTable holders) {
        this.watch = watch;
        this.holders = holders;
    }

    Map<String, List<Json>> byNode(ClusterSnapshot snapshot) {
        var ghosts = new HashMap<String, List<Json>>();
        for (var claim : snapshot.usage().claims()) {
            for (var device :
                    claim.status().allocation().stream()
                            .flatMap(one -> one.devices().stream())
                            .toList()) {
                if (!isPublished(snapshot, device.id())) {
                    node(snapshot, claim, device.id())
                            .ifPresent(node ->
                                    ghosts.computeIfAbsent(node, _ -> new ArrayList<>())
                                            .add(json(claim, device.id())));
                }
            }
        }
        return ghosts;
    }

    private static boolean isPublished(ClusterSnapshot snapshot, DeviceId device) {
        var inventory = snapshot.inventory();
        var pool = inventory.pool(device.poolId());
        if (pool.isEmpty()) {
            return false;
        }
        var node = pool.get().onlyNode().flatMap(inventory::node);
        var view = node.isPresent() ? pool.get().viewFrom(node.get()) : pool.get().clusterView();
        return view.map(one -> one.row(device.device()).isPresent()).orElse(node.isEmpty());
    }

    private Optional<String> node(ClusterSnapshot snapshot, ResourceClaim claim, DeviceId device) {
        return snapshot.inventory()
                .pool(device.poolId())
                .flatMap(pool -> pool.onlyNode())
                .or(() ->
                        claim.status().reservedFor().stream()
                                .map(user ->
                                        watch.pods()
                                                .find(
                                                        new ObjectRef(
                                                                claim.ref().namespace(),
                                                                user.name())))
                                .flatMap(Optional::stream)
                                .map(pod -> pod.spec().nodeName())
                                .filter(name -> !name.isEmpty())
                                .findFirst())
                .or(() -> snapshot.inventory().node(device.pool()).map(Node::name));
    }

    private JsonObject json(ResourceClaim claim, DeviceId device) {
        return JsonObject.of("driver", Json.of(device.driver()))
                .with("pool", Json.of(device.pool()))
                .with("device", Json.of(device.device()))
                .with("holder", Json.of(holders.id(claim)));
    }
}
