package dev.berth.app.bench.placement;

import dev.berth.core.admission.gate.FeatureGates;
import dev.berth.core.allocate.Allocator;
import dev.berth.core.place.PlacementFeatures;
import dev.berth.core.place.PlacementPolicy;
import dev.berth.core.place.PlacementRequest;
import dev.berth.core.place.PlacementRules;
import dev.berth.core.plan.PlacementReplay;
import dev.berth.core.snapshot.ClusterInventory;
import dev.berth.core.snapshot.ClusterSnapshot;
import dev.berth.core.snapshot.ClusterUsage;
import dev.berth.core.snapshot.Placement;
import dev.berth.model.api.meta.KubernetesObject;
import dev.berth.model.codec.Codec;
import dev.berth.model.codec.Decoded;
import dev.berth.model.codec.Kind;
import dev.berth.model.codec.Kinds;
import dev.berth.model.codec.UnknownFieldPolicy;
import dev.berth.model.json.JsonObject;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/// A cluster in memory in which pods are placed as `berth plan` places them.
final class PlannedCluster implements ReplayTarget {

    private final Codec codec = new Codec();
    private final PlacementReplay replay;
    private final Map<String, Placement> placed = new HashMap<>();

    PlannedCluster(ArrivalTrace.Cluster cluster, PlacementPolicy policy) {
        var features = PlacementFeatures.of(FeatureGates.all());
        var rules =
                new PlacementRules(
                        new Allocator(Allocator.DEFAULT_BUDGET),
                        features,
                        policy,
                        () -> UUID.randomUUID().toString());
        var inventory =
                ClusterInventory.of(
                        read(Kinds.NODE, cluster.nodes()),
                        read(Kinds.RESOURCE_SLICE, cluster.slices()),
                        read(Kinds.DEVICE_CLASS, cluster.classes()),
                        PlacementFeatures.rules(features));
        this.replay = new PlacementReplay(rules, ClusterSnapshot.of(inventory, ClusterUsage.NONE));
    }

    private <T extends KubernetesObject> List<T> read(Kind<T> kind, List<JsonObject> trees) {
        return trees.stream().map(tree -> read(kind, tree)).toList();
    }

    private <T extends KubernetesObject> T read(Kind<T> kind, JsonObject tree) {
        return switch (codec.readTree(kind, tree, UnknownFieldPolicy.LENIENT)) {
            case Decoded.Read<T> read -> read.object();
            case Decoded.Refused<T> refused -> throw new IllegalStateException(refused.message());
        };
    }

    @Override
    public Optional<Placed> arrive(Arrival arrival) {
        var request =
                new PlacementRequest(
                        read(Kinds.POD, arrival.pod()),
                        List.of(),
                        read(Kinds.RESOURCE_CLAIM, arrival.claims()));
        return replay.arrive(request)
                .map(placement -> {
                    placed.put(placement.pod().metadata().name(), placement);
                    return new Placed(
                            placement.node(),
                            placement.claims().stream()
                                    .flatMap(claim -> claim.status().allocation().stream())
                                    .flatMap(allocation -> allocation.devices().stream())
                                    .map(device -> device.id())
                                    .toList());
                });
    }

    @Override
    public void leave(Arrival arrival) {
        Optional.ofNullable(placed.remove(arrival.name())).ifPresent(replay::leave);
    }

    @Override
    public void close() {}
}
