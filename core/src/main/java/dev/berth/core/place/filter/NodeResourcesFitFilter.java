package dev.berth.core.place.filter;

import dev.berth.core.place.ClusterEvent;
import dev.berth.core.place.EvaluationContext;
import dev.berth.core.place.NodeFilter;
import dev.berth.core.place.Rejection;
import dev.berth.core.place.RejectionCollector;
import dev.berth.core.snapshot.NodeView;
import dev.berth.model.quantity.Quantity;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// NodeResourcesFit: the node has enough of every resource that the pod requests.
public final class NodeResourcesFitFilter implements NodeFilter {

    private static final String PODS = "pods";

    /// Too little of a resource is left.
    ///
    /// @param total the allocatable amount of the node
    public record Insufficient(String resource, Quantity requested, Quantity left, Quantity total)
            implements Rejection {

        private static final Set<ClusterEvent> RESOURCE_AND_DEVICE_EVENTS = withDeviceEvents();

        private static Set<ClusterEvent> withDeviceEvents() {
            var events = EnumSet.copyOf(ClusterEvent.RESOURCE_EVENTS);
            events.addAll(ClusterEvent.DEVICE_EVENTS);
            return Collections.unmodifiableSet(events);
        }

        @Override
        public String text() {
            return resource.equals(PODS) ? "Too many pods" : "Insufficient " + resource;
        }

        /// True for an extended resource that the node does not have: a device class may be created
        /// that serves it.
        private boolean isUnknownResource() {
            return total.signum() == 0 && resource.contains("/");
        }

        @Override
        public String description() {
            if (resource.equals(PODS)) {
                return "the node has reached its limit of %s pods".formatted(total);
            }
            if (total.signum() > 0) {
                return "insufficient %s: the pod requests %s, %s of %s is left"
                        .formatted(resource, requested, left, total);
            }
            return "insufficient %s: the pod requests %s, the node has none%s"
                    .formatted(
                            resource,
                            requested,
                            isUnknownResource() ? ", and no device class provides it" : "");
        }

        @Override
        public String rule() {
            if (isUnknownResource()) {
                return "no %s, and no device class provides it".formatted(resource);
            }
            return resource.equals(PODS) ? "too many pods" : "insufficient " + resource;
        }

        @Override
        public Optional<String> remedy() {
            return Optional.of(
                    resource.equals(PODS)
                            ? "remove a pod from it"
                            : "free or add %s of %s".formatted(missing(), resource));
        }

        @Override
        public Optional<String> resolvingEvent() {
            if (requested.compareTo(total) > 0) {
                return Optional.empty();
            }
            return Optional.of(
                    resource.equals(PODS)
                            ? "a pod on it ends"
                            : "%s more of %s is free".formatted(missing(), resource));
        }

        private Quantity missing() {
            return requested.minus(left);
        }

        @Override
        public Set<ClusterEvent> requeueOn() {
            return isUnknownResource() ? RESOURCE_AND_DEVICE_EVENTS : ClusterEvent.RESOURCE_EVENTS;
        }
    }

    NodeResourcesFitFilter() {}

    @Override
    public String name() {
        return "NodeResourcesFit";
    }

    @Override
    public Scope scope() {
        return Scope.NODE;
    }

    @Override
    public Object cacheKey(EvaluationContext context) {
        return context.requests();
    }

    @Override
    public Optional<Check> prepare(EvaluationContext context) {
        var requests = context.requests();
        return Optional.of((node, rejections) -> addShortages(requests, node, rejections));
    }

    /// Adds the requested resources of which the node has too little left. Resources that devices
    /// serve on this node do not count.
    public static void addShortages(
            Map<String, Quantity> requests, NodeView node, RejectionCollector rejections) {
        var allocatable = node.allocatable();
        if (allocatable.isEmpty()) {
            return;
        }
        var used = node.usage().requested();
        var extended = node.snapshot().inventory().extended();
        for (var request : requests.entrySet()) {
            var name = request.getKey();
            var amount = request.getValue();
            if (amount.signum() <= 0 || extended.comesFromDevices(name, node.node())) {
                continue;
            }
            var total = allocatable.getOrDefault(name, Quantity.ZERO);
            var left = total.minus(used.getOrDefault(name, Quantity.ZERO));
            if (amount.compareTo(left) > 0) {
                rejections.add(new Insufficient(name, amount, left, total));
                if (rejections.isComplete()) {
                    return;
                }
            }
        }
    }
}
