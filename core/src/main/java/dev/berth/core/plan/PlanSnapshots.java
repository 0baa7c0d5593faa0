package dev.berth.core.plan;

import dev.berth.core.allocate.rule.AllocatorFeature;
import dev.berth.core.place.PlacementFeatures;
import dev.berth.core.snapshot.ClusterInventory;
import dev.berth.core.snapshot.ClusterSnapshot;
import dev.berth.core.snapshot.ClusterUsage;
import dev.berth.core.taint.TaintRules;
import java.util.Set;

/// Builds the snapshot of the cluster of a plan input.
public final class PlanSnapshots {

    private PlanSnapshots() {}

    /// The cluster before any pod is placed.
    public static ClusterSnapshot of(PlanInput input, Set<AllocatorFeature> features) {
        var slices =
                features.contains(AllocatorFeature.DEVICE_TAINTS)
                        ? input.slices().stream()
                                .map(slice -> TaintRules.apply(slice, input.taintRules()))
                                .toList()
                        : input.slices();
        var inventory =
                ClusterInventory.of(
                        input.nodes(), slices, input.classes(), PlacementFeatures.rules(features));
        return ClusterSnapshot.of(inventory, ClusterUsage.of(input.pods(), input.claims()))
                .with(input.context());
    }
}
