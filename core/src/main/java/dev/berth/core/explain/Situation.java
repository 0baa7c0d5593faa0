package dev.berth.core.explain;

import dev.berth.core.allocate.AllocatorFeature;
import dev.berth.model.api.DeviceClass;
import dev.berth.model.api.Node;
import dev.berth.model.api.ObjectRef;
import dev.berth.model.api.ResourceClaim;
import dev.berth.model.api.ResourceSlice;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/// All that decides whether the claims of a pod can be served somewhere.
///
/// @param barred nodes that the pod may not use whatever their devices, with the reason
/// @param slices with all taints, those of rules included
/// @param holders claims that are allocated
/// @param own those of the holders that the pod itself uses; it cannot wait for them
/// @param claims what the pod still needs, in its order
public record Situation(
        Set<AllocatorFeature> features,
        List<Node> nodes,
        Map<String, String> barred,
        List<DeviceClass> classes,
        List<ResourceSlice> slices,
        List<ResourceClaim> holders,
        Set<ObjectRef> own,
        List<ResourceClaim> claims) {

    public Situation {
        features = Set.copyOf(features);
        nodes = List.copyOf(nodes);
        barred = Map.copyOf(barred);
        classes = List.copyOf(classes);
        slices = List.copyOf(slices);
        holders = List.copyOf(holders);
        own = Set.copyOf(own);
        claims = List.copyOf(claims);
    }

    Situation withClaims(List<ResourceClaim> newClaims) {
        return new Situation(features, nodes, barred, classes, slices, holders, own, newClaims);
    }

    Situation withHolders(List<ResourceClaim> newHolders) {
        return new Situation(features, nodes, barred, classes, slices, newHolders, own, claims);
    }

    Situation withClasses(List<DeviceClass> newClasses) {
        return new Situation(features, nodes, barred, newClasses, slices, holders, own, claims);
    }

    Situation withSlices(List<ResourceSlice> newSlices) {
        return new Situation(features, nodes, barred, classes, newSlices, holders, own, claims);
    }

    Situation allowing(String node) {
        var fewer = new TreeMap<>(barred);
        fewer.remove(node);
        return new Situation(features, nodes, fewer, classes, slices, holders, own, claims);
    }
}
