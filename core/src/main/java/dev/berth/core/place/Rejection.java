package dev.berth.core.place;

import dev.berth.model.api.DeviceId;
import dev.berth.model.api.NodeTaint;
import dev.berth.model.api.ObjectRef;
import dev.berth.model.quantity.Quantity;
import java.util.List;
import java.util.Optional;

/// Why a node is not for a pod. The texts are those that Kubernetes' scheduler uses, so that they
/// can be compared and searched for.
public sealed interface Rejection {

    String text();

    /// The pod asks for another node by name.
    record NodeNameMismatch(String named) implements Rejection {
        @Override
        public String text() {
            return "node(s) didn't match the requested node name";
        }
    }

    /// The node takes no new pods.
    record Unschedulable() implements Rejection {
        @Override
        public String text() {
            return "node(s) were unschedulable";
        }
    }

    record UntoleratedTaint(NodeTaint taint) implements Rejection {
        @Override
        public String text() {
            return "node(s) had untolerated taint {%s: %s}".formatted(taint.key(), taint.value());
        }
    }

    /// The node selector or the required node affinity means others.
    ///
    /// @param label of the node selector that the node does not have; empty when it is the affinity
    record NodeAffinityMismatch(Optional<TopologyDomain> label) implements Rejection {
        @Override
        public String text() {
            return "node(s) didn't match Pod's node affinity/selector";
        }
    }

    /// Too little of a resource is left.
    ///
    /// @param total what pods may use of the node when it is empty
    record Insufficient(String resource, Quantity requested, Quantity left, Quantity total)
            implements Rejection {
        @Override
        public String text() {
            return resource.equals("pods") ? "Too many pods" : "Insufficient " + resource;
        }

        /// Whether the node has none of a resource that devices could be, if a class stood for it.
        public boolean isUnknownResource() {
            return total.signum() == 0 && resource.contains("/");
        }
    }

    record PortTaken(long port) implements Rejection {
        @Override
        public String text() {
            return "node(s) didn't have free ports for the requested pod ports";
        }
    }

    /// No pods are near that the pod must have near.
    ///
    /// @param topologyKey what is near, for the term that is not met
    /// @param place where none are; empty when the node is in no such place
    /// @param terms the pods must meet all of them
    record PodAffinityNotMet(
            String topologyKey, Optional<TopologyDomain> domain, List<AffinityTerm> terms)
            implements Rejection {
        public PodAffinityNotMet {
            terms = List.copyOf(terms);
        }

        @Override
        public String text() {
            return "node(s) didn't match pod affinity rules";
        }
    }

    /// Pods are near that the pod keeps away from.
    ///
    /// @param pods how many the term means there
    record PodAntiAffinityViolated(TopologyDomain domain, AffinityTerm term, long pods)
            implements Rejection {
        @Override
        public String text() {
            return "node(s) didn't match pod anti-affinity rules";
        }
    }

    /// Pods are near that keep away from the pod.
    ///
    /// @param pods how many do so there
    record ExistingAntiAffinityViolated(TopologyDomain domain, long pods) implements Rejection {
        @Override
        public String text() {
            return "node(s) didn't satisfy existing pods anti-affinity rules";
        }
    }

    /// The pod would be one too many of its like in one place.
    ///
    /// @param pods how many would be there with the pod, if it counts itself
    /// @param fewest how many there are in any place, or none when there are too few places
    /// @param maxSkew how many more than that there may be
    record TopologySkewExceeded(TopologyDomain domain, long pods, long fewest, long maxSkew)
            implements Rejection {
        @Override
        public String text() {
            return "node(s) didn't match pod topology spread constraints";
        }
    }

    /// The node is in no place over which the pod is to be spread.
    record TopologyLabelMissing(String topologyKey) implements Rejection {
        @Override
        public String text() {
            return "node(s) didn't match pod topology spread constraints"
                    + " (missing required label)";
        }
    }

    /// A volume of the pod cannot be reached from the node.
    record VolumeNodeAffinityMismatch(String volume) implements Rejection {
        @Override
        public String text() {
            return "node(s) didn't match PersistentVolume's node affinity";
        }
    }

    /// The node is in another zone than a volume of the pod.
    record VolumeZoneMismatch(String volume) implements Rejection {
        @Override
        public String text() {
            return "node(s) had no available volume zone";
        }
    }

    /// There is no volume for the node, and none can be made.
    record NoVolumeToBind(ObjectRef claim) implements Rejection {
        @Override
        public String text() {
            return "node(s) didn't find available persistent volumes to bind";
        }
    }

    /// Another pod has a volume that only one pod may have.
    record VolumeInUse(ObjectRef claim) implements Rejection {
        @Override
        public String text() {
            return "node has pod using PersistentVolumeClaim with the same name"
                    + " and ReadWriteOncePod access mode";
        }
    }

    /// A claim of the pod holds devices that this node cannot reach.
    record ClaimNotOnNode(ObjectRef claim) implements Rejection {
        @Override
        public String text() {
            return "resourceclaim not available on the node";
        }
    }

    /// A claim of the pod holds a device for which nodes leave out what they do for others, and the
    /// node does not say that it can.
    record NodeOperationsNotSkippable(ObjectRef claim, DeviceId device) implements Rejection {
        @Override
        public String text() {
            return "resourceclaim not available on the node";
        }
    }

    /// A claim of the pod holds devices that the pod may not begin to use on any node.
    record ClaimUnusable(ObjectRef claim, UnusableClaim cause) implements Rejection {
        @Override
        public String text() {
            return cause instanceof UnusableClaim.ReservationsFull(var users)
                    ? "resourceclaim %s is in use by %d pods, which is the most"
                            .formatted(claim, users)
                    : "resourceclaim not available on the node";
        }
    }

    /// A claim of the pod stands for resources of the node, so that only one pod can have it, and
    /// another does.
    record MappedClaimInUse(ObjectRef claim) implements Rejection {
        @Override
        public String text() {
            return ("node allocatable resource claim %s has a mapped device and cannot be shared"
                            + " across pods")
                    .formatted(claim.name());
        }
    }

    /// What the pod asks for as a whole is less than its containers and their devices take.
    ///
    /// @param isLimit whether it is the limit that is too low
    /// @param container the one that needs more on its own; empty for all together
    record PodLevelResourcesTooLow(String resource, boolean isLimit, Optional<String> container)
            implements Rejection {
        @Override
        public String text() {
            var what = isLimit ? "limit" : "request";
            return "pod level %s for %s is insufficient to cover the %s"
                    .formatted(
                            what,
                            resource,
                            container
                                    .map(name -> "limit and DRA overhead for container " + name)
                                    .orElse(
                                            "aggregated container and node-allocatable DRA %ss"
                                                    .formatted(what)));
        }
    }

    /// No choice of devices satisfies the claims, which is proved.
    record NoDevices() implements Rejection {
        @Override
        public String text() {
            return "cannot allocate all claims";
        }
    }

    /// The search for devices was given up.
    record Undecided() implements Rejection {
        @Override
        public String text() {
            return "gave up looking for devices";
        }
    }

    /// The question about devices cannot be answered.
    ///
    /// @param everywhere true when no node can be asked: Kubernetes then gives up on the pod
    record Fault(String message, boolean everywhere) implements Rejection {
        @Override
        public String text() {
            return message;
        }
    }
}
