package dev.berth.core.plan;

import dev.berth.model.api.AllocatedDevice;
import dev.berth.model.api.ObjectRef;
import dev.berth.model.api.Pod;
import java.util.List;

/// What becomes of a pod.
public sealed interface PlannedPod {

    Pod pod();

    /// The pod gets a node.
    record Placed(Pod pod, String node, List<Holding> claims) implements PlannedPod {
        public Placed {
            claims = List.copyOf(claims);
        }
    }

    /// The pod must wait.
    ///
    /// @param summary one line on all nodes together
    /// @param groups the nodes by what is wrong with them; empty when it is not about nodes
    /// @param shortages what the claims ask for and what is there of it
    record Pending(Pod pod, String summary, List<Group> groups, List<Shortage> shortages)
            implements PlannedPod {
        public Pending {
            groups = List.copyOf(groups);
            shortages = List.copyOf(shortages);
        }
    }

    /// A claim of the pod and what it holds.
    ///
    /// @param before true when it had its devices already
    record Holding(ObjectRef claim, List<AllocatedDevice> devices, boolean before) {
        public Holding {
            devices = List.copyOf(devices);
        }
    }

    /// Nodes that say no for the same reason.
    record Group(String reason, List<String> nodes) {
        public Group {
            nodes = List.copyOf(nodes);
        }
    }

    /// A class of which more is asked than nodes can give, or not.
    ///
    /// @param free devices of the class that nobody holds, in the whole cluster
    /// @param mostOnOneNode the most of them that one node can reach
    record Shortage(
            String deviceClass, long requested, long free, long total, long mostOnOneNode) {}
}
