package dev.berth.app.utilisation;

import dev.berth.core.admission.gate.FeatureGates;
import dev.berth.core.allocate.Allocator;
import dev.berth.core.allocate.rule.AllocatorFeature;
import dev.berth.core.place.PlacementFeatures;
import dev.berth.core.plan.PlanInput;
import dev.berth.core.plan.RequestedDevices;
import dev.berth.core.snapshot.ClusterInventory;
import dev.berth.core.snapshot.ClusterSnapshot;
import dev.berth.core.snapshot.ClusterUsage;
import dev.berth.core.taint.TaintRules;
import dev.berth.core.utilisation.ClusterUtilisation;
import dev.berth.core.utilisation.InventoryBuilder;
import dev.berth.core.utilisation.NodeInventory;
import dev.berth.core.utilisation.UtilisationCalculator;
import dev.berth.model.api.claim.DeviceDemand;
import dev.berth.model.api.meta.ObjectMeta;
import dev.berth.model.api.node.Node;
import dev.berth.model.api.node.NodeSpec;
import dev.berth.model.api.node.NodeStatus;
import dev.berth.model.api.slice.NodeScope;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/// A cluster from files or a running one, with its utilisation and its devices.
///
/// @param requested device requests of pending pods
public record ObservedCluster(
        PlanInput input, ClusterSnapshot snapshot, List<DeviceDemand> requested) {

    /// All fields of files are shown, whether or not a cluster has their feature enabled.
    private static final Set<AllocatorFeature> FEATURES = PlacementFeatures.of(FeatureGates.all());

    public ObservedCluster {
        requested = List.copyOf(requested);
    }

    /// The cluster of an input. Nodes that only slices name exist as well: dumps often contain only
    /// slices.
    public static ObservedCluster of(PlanInput input) {
        var slices =
                input.slices().stream()
                        .map(slice -> TaintRules.apply(slice, input.taintRules()))
                        .toList();
        var inventory =
                ClusterInventory.of(
                        nodes(input).values(),
                        slices,
                        input.classes(),
                        PlacementFeatures.rules(FEATURES));
        var snapshot = ClusterSnapshot.of(inventory, ClusterUsage.of(input.pods(), input.claims()));
        return new ObservedCluster(input, snapshot, RequestedDevices.of(input, snapshot));
    }

    private static Map<String, Node> nodes(PlanInput input) {
        var nodes = new TreeMap<String, Node>();
        input.nodes().forEach(one -> nodes.put(one.name(), one));
        for (var slice : input.slices()) {
            if (slice.spec().scope() instanceof NodeScope.OneNode(var name)) {
                nodes.putIfAbsent(
                        name, new Node(ObjectMeta.of(name), NodeSpec.EMPTY, NodeStatus.EMPTY));
            }
        }
        return nodes;
    }

    /// A calculator for such clusters; to be kept between refreshes.
    public static UtilisationCalculator calculator(Allocator allocator) {
        return new UtilisationCalculator(allocator, FEATURES);
    }

    public ClusterUtilisation utilisation(UtilisationCalculator calculator) {
        return calculator.of(snapshot, requested);
    }

    public List<NodeInventory> inventory(Allocator allocator) {
        return InventoryBuilder.of(snapshot, allocator);
    }
}
