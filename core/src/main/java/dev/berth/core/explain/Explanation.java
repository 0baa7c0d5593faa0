package dev.berth.core.explain;

import dev.berth.core.explain.finding.Finding;
import dev.berth.model.api.claim.AllocatedDevice;
import dev.berth.model.api.claim.ConsumerReference;
import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.api.pod.ExtendedResourceClaimStatus.RequestMapping;
import dev.berth.model.api.slice.DeviceId;
import java.util.List;
import java.util.Optional;

/// Result of an explanation: where the claims fit, or why they do not.
public sealed interface Explanation {

    /// The claims fit.
    ///
    /// @param node the first node where the claims fit
    /// @param nodes number of nodes in the cluster
    /// @param others further nodes where the claims fit, at most five
    /// @param failures nodes with errors that make Kubernetes abort scheduling of the pod
    /// @param tolerated errors on the chosen node that were tolerated here and are fatal in
    ///   Kubernetes
    record Fits(
            String node,
            List<ClaimAllocation> allocations,
            int nodes,
            List<String> others,
            List<NodeReport> failures,
            List<String> tolerated)
            implements Explanation {
        public Fits {
            allocations = List.copyOf(allocations);
            others = List.copyOf(others);
            failures = List.copyOf(failures);
            tolerated = List.copyOf(tolerated);
        }
    }

    /// The devices that a claim holds or would get.
    ///
    /// @param mappings container resources that the requests serve; empty for ordinary claims
    record ClaimAllocation(
            ObjectRef claim,
            List<AllocatedDevice> devices,
            boolean isHeld,
            List<RequestMapping> mappings) {
        public ClaimAllocation {
            mappings = List.copyOf(mappings);
            devices = List.copyOf(devices);
        }
    }

    /// The pod waits for something regardless of nodes.
    ///
    /// @param findings what the pod waits for; the first is the most useful
    /// @param fits where the claims would fit; empty when that cannot be evaluated
    record Blocked(List<Finding> findings, Optional<Fits> fits) implements Explanation {
        public Blocked {
            findings = List.copyOf(findings);
        }
    }

    /// The claims fit on no node.
    ///
    /// @param findings fields to change, the most useful first
    /// @param steps checks of each request over all nodes
    /// @param cluster report of each request over all nodes
    /// @param nodes report of each node, nodes with the fewest missing devices first
    /// @param holders claims that hold the missing devices
    /// @param suggestions changes, each verified by the allocator to make the claims fit
    record Misfit(
            List<Finding> findings,
            List<RequestSteps> steps,
            List<RequestReport> cluster,
            List<NodeReport> nodes,
            Optional<NearestMiss> nearestMiss,
            List<Holder> holders,
            WaitForecast waiting,
            List<Suggestion.Verified> suggestions)
            implements Explanation {
        public Misfit {
            findings = List.copyOf(findings);
            steps = List.copyOf(steps);
            cluster = List.copyOf(cluster);
            nodes = List.copyOf(nodes);
            holders = List.copyOf(holders);
            suggestions = List.copyOf(suggestions);
        }
    }

    /// The device with the fewest obstacles.
    record NearestMiss(
            String node,
            ObjectRef claim,
            String request,
            DeviceId device,
            List<Obstacle.Occurrence> occurrences) {
        public NearestMiss {
            occurrences = List.copyOf(occurrences);
        }
    }

    /// A claim that holds missing devices, and the pods that use it.
    record Holder(ObjectRef claim, List<ConsumerReference> users) {
        public Holder {
            users = List.copyOf(users);
        }
    }
}
