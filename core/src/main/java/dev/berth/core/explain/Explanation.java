package dev.berth.core.explain;

import dev.berth.model.api.AllocatedDevice;
import dev.berth.model.api.ConsumerReference;
import dev.berth.model.api.DeviceId;
import dev.berth.model.api.ExtendedResourceClaimStatus.RequestMapping;
import dev.berth.model.api.ObjectRef;
import java.util.List;
import java.util.Optional;

/// Where claims fit, or why they do not.
public sealed interface Explanation {

    /// They fit.
    ///
    /// @param node the first node where they do
    /// @param nodes how many nodes there are
    /// @param others further nodes where they fit, at most a few
    /// @param failures what went wrong elsewhere: Kubernetes would give up because of it
    /// @param tolerated what went wrong on the node and was let pass: Kubernetes would not
    record Fits(
            String node,
            List<Grant> grants,
            int nodes,
            List<String> others,
            List<NodeReport> failures,
            List<String> tolerated)
            implements Explanation {
        public Fits {
            grants = List.copyOf(grants);
            others = List.copyOf(others);
            failures = List.copyOf(failures);
            tolerated = List.copyOf(tolerated);
        }
    }

    /// The devices that a claim would get, or has.
    ///
    /// @param mappings which resources of which containers its requests stand for, if any
    record Grant(
            ObjectRef claim,
            List<AllocatedDevice> devices,
            boolean isHeld,
            List<RequestMapping> mappings) {
        public Grant {
            mappings = List.copyOf(mappings);
            devices = List.copyOf(devices);
        }
    }

    /// They fit nowhere.
    ///
    /// @param cluster each request over all nodes
    /// @param nodes each node, those first where least is missing
    /// @param holders who has the devices that are missing
    /// @param changes each has been tried and makes the claims fit
    record Misfit(
            List<RequestReport> cluster,
            List<NodeReport> nodes,
            Optional<NearestMiss> nearestMiss,
            List<Holder> holders,
            WaitForecast waiting,
            List<Suggestion.Proposal> changes)
            implements Explanation {
        public Misfit {
            cluster = List.copyOf(cluster);
            nodes = List.copyOf(nodes);
            holders = List.copyOf(holders);
            changes = List.copyOf(changes);
        }
    }

    /// The device with the fewest obstacles.
    record NearestMiss(
            String node,
            ObjectRef claim,
            String request,
            DeviceId device,
            List<Obstacle.Encounter> encounters) {
        public NearestMiss {
            encounters = List.copyOf(encounters);
        }
    }

    /// A claim that has what is missing, and who uses it.
    record Holder(ObjectRef claim, List<ConsumerReference> users) {
        public Holder {
            users = List.copyOf(users);
        }
    }
}
