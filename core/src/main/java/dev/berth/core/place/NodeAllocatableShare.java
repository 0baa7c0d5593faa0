package dev.berth.core.place;

import dev.berth.core.inventory.DeviceTraits;
import dev.berth.core.inventory.Pool;
import dev.berth.core.inventory.PoolView;
import dev.berth.core.snapshot.NodeView;
import dev.berth.model.api.claim.AllocatedDevice;
import dev.berth.model.api.claim.AllocationResult;
import dev.berth.model.api.claim.ResourceClaim;
import dev.berth.model.api.slice.NodeAllocatableMapping;
import dev.berth.model.api.slice.NodeAllocatableOverhead;
import dev.berth.model.api.slice.NodeAllocatableResource;
import dev.berth.model.quantity.Quantity;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// Node-allocatable resources, such as `cpu` and `memory`, that the devices of a claim consume.
///
/// @param mapping amounts that the devices represent, by resource
/// @param overhead additional amounts per pod and per container, by resource
public record NodeAllocatableShare(
        Map<String, Quantity> mapping, Map<String, NodeAllocatableOverhead> overhead) {

    public NodeAllocatableShare {
        mapping = Collections.unmodifiableMap(new TreeMap<>(mapping));
        overhead = Collections.unmodifiableMap(new TreeMap<>(overhead));
    }

    /// Result of summing up a claim.
    sealed interface Sum {
        record Share(NodeAllocatableShare share) implements Sum {}

        /// The amount cannot be determined.
        record Unknown(String message) implements Sum {}
    }

    public boolean isNone() {
        return mapping.isEmpty() && overhead.isEmpty();
    }

    /// Sums up the resources of all devices of a claim.
    static Sum of(ResourceClaim claim, AllocationResult result, NodeView node) {
        var inventory = node.snapshot().inventory();
        var mapping = new TreeMap<String, Quantity>();
        var overhead = new TreeMap<String, NodeAllocatableOverhead>();
        var problem = Optional.<String>empty();
        var missing = Optional.<String>empty();
        for (var device : result.devices()) {
            var pool = inventory.pool(device.id().poolId()).filter(Pool::usesNodeResources);
            if (pool.isEmpty()) {
                continue;
            }
            var traits = pool.get().viewFrom(node.node()).flatMap(seen -> traits(seen, device));
            if (traits.isEmpty()) {
                missing = Optional.of("device %s no longer exists".formatted(device.id()));
                continue;
            }
            for (var entry : traits.get().nodeAllocatable().entrySet()) {
                var failed = add(entry.getKey(), entry.getValue(), device, mapping);
                problem = problem.or(() -> failed);
                entry.getValue()
                        .overhead()
                        .ifPresent(more ->
                                overhead.merge(entry.getKey(), more, NodeAllocatableShare::sum));
            }
        }
        var share = new NodeAllocatableShare(mapping, overhead);
        // A device that no longer exists matters only if other devices of the claim consume node
        // resources.
        var unknown = problem.isPresent() || share.isNone() ? problem : missing;
        return unknown.<Sum>map(
                        text -> new Sum.Unknown("claim %s: %s".formatted(claim.ref(), text)))
                .orElseGet(() -> new Sum.Share(share));
    }

    private static Optional<DeviceTraits> traits(PoolView seen, AllocatedDevice device) {
        return seen.row(device.id().device()).map(seen::traits);
    }

    /// Adds the mapped amount of a device, or returns why it cannot be determined.
    private static Optional<String> add(
            String resource,
            NodeAllocatableResource use,
            AllocatedDevice device,
            Map<String, Quantity> mapping) {
        var kind = use.mapping();
        if (kind.isEmpty()) {
            return Optional.empty();
        }
        switch (kind.get()) {
            case NodeAllocatableMapping.PerDevice(var amount) ->
                    mapping.merge(resource, amount, Quantity::plus);
            case NodeAllocatableMapping.PerCapacity(var key, var multiplier) -> {
                if (device.consumedCapacity().isEmpty()) {
                    return Optional.of(
                            "device %s maps to %s by capacity %s, but consumes no capacity"
                                    .formatted(device.id(), resource, key));
                }
                var consumed = device.consumedCapacity().get(key);
                if (consumed != null) {
                    var amount = consumed.amount().multiply(multiplier.amount());
                    mapping.merge(
                            resource, Quantity.of(amount, consumed.notation()), Quantity::plus);
                }
            }
            case NodeAllocatableMapping.Unrecognised _ -> {
                return Optional.of(
                        "device %s has an unsupported mapping to %s"
                                .formatted(device.id(), resource));
            }
        }
        return Optional.empty();
    }

    private static NodeAllocatableOverhead sum(
            NodeAllocatableOverhead one, NodeAllocatableOverhead other) {
        return new NodeAllocatableOverhead(
                sum(one.perPod(), other.perPod()), sum(one.perContainer(), other.perContainer()));
    }

    private static Optional<Quantity> sum(Optional<Quantity> one, Optional<Quantity> other) {
        return one.isEmpty() ? other : one.map(amount -> amount.plus(other.orElse(Quantity.ZERO)));
    }
}
