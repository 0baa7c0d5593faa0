package dev.berth.core.place;

import java.util.Optional;
import java.util.Set;

/// Why a node is rejected for a pod. Each [NodeFilter] declares its own rejections, with everything
/// that scheduler, queue and explanations need to know about them.
public interface Rejection {

    /// The message of kube-scheduler, so that it can be compared and searched for.
    String text();

    /// The reason with the values of one node, for explanations.
    String description();

    /// The rule that rejects nodes, without values that differ between nodes.
    default String rule() {
        return description();
    }

    /// The change to the pod, the node or another object that removes the reason.
    default Optional<String> remedy() {
        return Optional.empty();
    }

    /// The event that removes the reason without a change to the pod or the node.
    default Optional<String> resolvingEvent() {
        return Optional.empty();
    }

    /// The cluster events after which another attempt is worthwhile.
    Set<ClusterEvent> requeueOn();

    /// The evaluation failed with an error.
    ///
    /// @param everywhere true when the error affects all nodes: Kubernetes then aborts the
    ///   scheduling cycle of the pod
    record Fault(String message, boolean everywhere) implements Rejection {
        @Override
        public String text() {
            return message;
        }

        @Override
        public String description() {
            return message;
        }

        @Override
        public Set<ClusterEvent> requeueOn() {
            return ClusterEvent.DEVICE_EVENTS;
        }
    }
}
