package dev.berth.core.place.filter;

import dev.berth.core.inventory.NodeSelectorMatcher;
import dev.berth.core.place.ClusterEvent;
import dev.berth.core.place.EvaluationContext;
import dev.berth.core.place.NodeFilter;
import dev.berth.core.place.Rejection;
import dev.berth.model.api.claim.ResourceClaim;
import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.api.node.Node;
import dev.berth.model.api.node.NodeStatus;
import dev.berth.model.api.slice.DeviceId;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// DynamicResources, first half: the devices of allocated claims are available on the node.
public final class DynamicResourcesFilter implements NodeFilter {

    /// A rejection because of an allocated claim, which another node or a deallocation would
    /// remove.
    public sealed interface UnavailableClaim extends Rejection {

        ObjectRef claim();

        @Override
        default String text() {
            return "resourceclaim not available on the node";
        }

        @Override
        default Set<ClusterEvent> requeueOn() {
            return ClusterEvent.DEVICE_EVENTS;
        }
    }

    /// The devices of an allocated claim are not available on the node.
    public record ClaimNotOnNode(ObjectRef claim) implements UnavailableClaim {
        @Override
        public String description() {
            return "the node cannot access the devices of claim %s".formatted(claim);
        }

        @Override
        public Optional<String> remedy() {
            return Optional.of("deallocate claim %s".formatted(claim));
        }
    }

    /// An allocated claim has a device with `skipNodeOperations`, which the node does not support.
    public record NodeOperationsNotSkippable(ObjectRef claim, DeviceId device)
            implements UnavailableClaim {
        @Override
        public String description() {
            return ("claim %s has device %s with skipNodeOperations, and the node does not declare"
                            + " %s")
                    .formatted(claim, device, NodeStatus.OPTIONAL_OPERATIONS);
        }

        @Override
        public Optional<String> remedy() {
            return Optional.of("run a kubelet that declares " + NodeStatus.OPTIONAL_OPERATIONS);
        }
    }

    DynamicResourcesFilter() {}

    @Override
    public String name() {
        return "DynamicResources";
    }

    @Override
    public Scope scope() {
        return Scope.CLUSTER;
    }

    @Override
    public Object cacheKey(EvaluationContext context) {
        return context.request().allocated();
    }

    @Override
    public Optional<Check> prepare(EvaluationContext context) {
        var allocated = context.request().allocated();
        return allocated.isEmpty()
                ? Optional.empty()
                : Optional.of((node, rejections) ->
                        unavailableClaim(allocated, node.node()).ifPresent(rejections::add));
    }

    /// The first allocated claim whose devices are not available on the node.
    public static Optional<UnavailableClaim> unavailableClaim(
            List<ResourceClaim> allocated, Node node) {
        for (var claim : allocated) {
            var allocation = claim.status().allocation().orElseThrow();
            var selector = allocation.nodeSelector();
            if (selector.isPresent() && !NodeSelectorMatcher.matches(selector.get(), node)) {
                return Optional.of(new ClaimNotOnNode(claim.ref()));
            }
            for (var device : allocation.devices()) {
                if (!device.skipNodeOperations().isEmpty() && !node.status().canSkipOperations()) {
                    return Optional.of(new NodeOperationsNotSkippable(claim.ref(), device.id()));
                }
            }
        }
        return Optional.empty();
    }
}
