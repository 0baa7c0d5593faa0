package dev.berth.core.plan;

import dev.berth.model.api.claim.AllocatedDevice;
import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.api.pod.Pod;
import java.util.List;

/// Result for one pod of a plan.
public sealed interface PlannedPod {

    Pod pod();

    /// The pod is placed on a node.
    record Placed(Pod pod, String node, List<Holding> claims) implements PlannedPod {
        public Placed {
            claims = List.copyOf(claims);
        }
    }

    /// The pod stays pending.
    ///
    /// @param summary one line for all nodes
    /// @param groups nodes grouped by rejection; empty when the reason does not depend on nodes
    /// @param shortages requested and available devices by class
    record Pending(Pod pod, String summary, List<Group> groups, List<Shortage> shortages)
            implements PlannedPod {
        public Pending {
            groups = List.copyOf(groups);
            shortages = List.copyOf(shortages);
        }
    }

    /// A claim of the pod and its devices.
    ///
    /// @param before true when the claim was allocated before the plan
    record Holding(ObjectRef claim, List<AllocatedDevice> devices, boolean before) {
        public Holding {
            devices = List.copyOf(devices);
        }
    }

    /// Nodes with the same rejection.
    record Group(String reason, List<String> nodes) {
        public Group {
            nodes = List.copyOf(nodes);
        }
    }

    /// Requested and available devices of a class.
    ///
    /// @param free free devices of the class in the whole cluster
    /// @param mostOnOneNode the maximum of free devices that one node can access
    record Shortage(
            String deviceClass, long requested, long free, long total, long mostOnOneNode) {}
}
