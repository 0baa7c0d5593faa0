package dev.berth.core.place.filter;

import dev.berth.core.place.ClusterEvent;
import dev.berth.core.place.EvaluationContext;
import dev.berth.core.place.NodeFilter;
import dev.berth.core.place.Rejection;
import dev.berth.core.snapshot.PodResourceRequests;
import java.util.Optional;
import java.util.Set;

/// NodePorts: the host ports that the pod requests are free on the node.
public final class NodePortsFilter implements NodeFilter {

    /// Another pod uses the port.
    public record PortTaken(long port) implements Rejection {
        @Override
        public String text() {
            return "node(s) didn't have free ports for the requested pod ports";
        }

        @Override
        public String description() {
            return "host port %d of the node is in use".formatted(port);
        }

        @Override
        public Optional<String> remedy() {
            return Optional.of("use a host port other than " + port);
        }

        @Override
        public Optional<String> resolvingEvent() {
            return Optional.of("port %d is free".formatted(port));
        }

        @Override
        public Set<ClusterEvent> requeueOn() {
            return ClusterEvent.RESOURCE_EVENTS;
        }
    }

    @Override
    public String name() {
        return "NodePorts";
    }

    @Override
    public Scope scope() {
        return Scope.NODE;
    }

    @Override
    public Object cacheKey(EvaluationContext context) {
        return PodResourceRequests.ports(context.pod());
    }

    @Override
    public Optional<Check> prepare(EvaluationContext context) {
        var ports = PodResourceRequests.ports(context.pod());
        if (ports.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of((node, rejections) -> {
            var used = node.usage().ports();
            ports.stream()
                    .filter(port -> used.stream().anyMatch(port::clashesWith))
                    .findFirst()
                    .ifPresent(port -> rejections.add(new PortTaken(port.port())));
        });
    }
}
