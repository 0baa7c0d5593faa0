package dev.berth.core.plan;

import dev.berth.model.api.claim.DeviceClass;
import dev.berth.model.api.meta.ObjectMeta;
import dev.berth.model.api.node.Node;
import dev.berth.model.api.node.NodeSpec;
import dev.berth.model.api.slice.NodeScope;
import dev.berth.model.api.slice.PoolId;
import dev.berth.model.api.slice.ResourcePool;
import dev.berth.model.api.slice.ResourceSlice;
import dev.berth.model.api.slice.ResourceSliceSpec;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Nodes of one kind that can be added to a cluster: copies of a node with its local devices and
/// without pods.
public final class NodeCopies {

    private static final String HOSTNAME = "kubernetes.io/hostname";

    private final String kind;
    private final Node original;
    private final List<ResourceSlice> slices;
    private final List<DeviceClass> classes;
    private final int limit;

    private NodeCopies(
            String kind,
            Node original,
            List<ResourceSlice> slices,
            List<DeviceClass> classes,
            int limit) {
        this.kind = kind;
        this.original = original;
        this.slices = List.copyOf(slices);
        this.classes = List.copyOf(classes);
        this.limit = limit;
    }

    /// Copies of a node of the input; empty when it has no node of that name.
    ///
    /// @param limit the maximum number of copies
    public static Optional<NodeCopies> of(PlanInput input, String node, int limit) {
        return input.nodes().stream()
                .filter(one -> one.name().equals(node))
                .findFirst()
                .map(one -> new NodeCopies(node, one, localSlices(input, node), List.of(), limit));
    }

    /// Copies of a node that the input does not have.
    ///
    /// @param kind the name of the kind of node
    /// @param classes device classes for the devices of the node, for an input without them
    /// @param limit the maximum number of copies
    public static NodeCopies of(
            String kind,
            Node node,
            List<ResourceSlice> slices,
            List<DeviceClass> classes,
            int limit) {
        return new NodeCopies(kind, node, slices, classes, limit);
    }

    /// The slices of pools that are local to the node.
    private static List<ResourceSlice> localSlices(PlanInput input, String node) {
        var elsewhere = new HashSet<PoolId>();
        for (var slice : input.slices()) {
            if (!isOf(slice, node)) {
                elsewhere.add(slice.poolId());
            }
        }
        return input.slices().stream()
                .filter(slice -> isOf(slice, node) && !elsewhere.contains(slice.poolId()))
                .toList();
    }

    private static boolean isOf(ResourceSlice slice, String node) {
        return slice.spec().scope() instanceof NodeScope.OneNode(var name) && name.equals(node);
    }

    String kind() {
        return kind;
    }

    int limit() {
        return limit;
    }

    PlanInput added(PlanInput input, int copies) {
        var taken = new HashSet<String>();
        input.nodes().forEach(node -> taken.add(node.name()));
        var nodes = new ArrayList<Node>();
        var added = new ArrayList<ResourceSlice>();
        for (var number = 1; nodes.size() < copies; number++) {
            var suffix = "-new-" + number;
            if (isFree(original.name() + suffix, taken)) {
                nodes.add(node(original.name() + suffix));
                slices.forEach(slice -> added.add(slice(slice, suffix)));
            }
        }
        return input.withMissing(classes).plus(nodes, added);
    }

    private static boolean isFree(String name, Set<String> taken) {
        return taken.add(name);
    }

    /// A copy of the node that is not cordoned.
    private Node node(String name) {
        var labels = new HashMap<>(original.labels());
        labels.computeIfPresent(HOSTNAME, (_, _) -> name);
        return new Node(
                ObjectMeta.of(name).withLabels(Map.copyOf(labels)),
                new NodeSpec(false, original.spec().taints()),
                original.status());
    }

    private ResourceSlice slice(ResourceSlice slice, String suffix) {
        var spec = slice.spec();
        var pool = spec.pool();
        return new ResourceSlice(
                ObjectMeta.of(slice.metadata().name() + suffix),
                new ResourceSliceSpec(
                        spec.driver(),
                        new ResourcePool(
                                pool.name() + suffix, pool.generation(), pool.resourceSliceCount()),
                        new NodeScope.OneNode(original.name() + suffix),
                        spec.devices(),
                        spec.sharedCounters(),
                        spec.partitionTypeAttribute(),
                        spec.skipNodeOperations()));
    }
}
