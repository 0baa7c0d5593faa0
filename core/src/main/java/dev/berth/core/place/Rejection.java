package dev.berth.core.place;

import dev.berth.model.api.DeviceId;
import dev.berth.model.api.NodeTaint;
import dev.berth.model.api.ObjectRef;
import dev.berth.model.quantity.Quantity;
import java.util.List;
import java.util.Optional;

/// Why a node is rejected for a pod. The texts are those of kube-scheduler, so that they can be
/// compared and searched for.
public sealed interface Rejection {

    String text();

    /// NodeName: the pod names another node.
    record NodeNameMismatch(String named) implements Rejection {
        @Override
        public String text() {
            return "node(s) didn't match the requested node name";
        }
    }

    /// NodeUnschedulable: the node is cordoned.
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

    /// NodeAffinity: the node selector or the required node affinity does not match.
    ///
    /// @param label the label of the node selector that the node lacks; empty when the affinity
    ///   does not match
    record NodeAffinityMismatch(Optional<TopologyDomain> label) implements Rejection {
        @Override
        public String text() {
            return "node(s) didn't match Pod's node affinity/selector";
        }
    }

    /// NodeResourcesFit: too little of a resource is free.
    ///
    /// @param total the allocatable amount of the node
    record Insufficient(String resource, Quantity requested, Quantity left, Quantity total)
            implements Rejection {
        @Override
        public String text() {
            return resource.equals("pods") ? "Too many pods" : "Insufficient " + resource;
        }

        /// True for an extended resource that the node does not have: a device class may be created
        /// that serves it.
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

    /// InterPodAffinity: the domain has no pods that match the required affinity.
    ///
    /// @param topologyKey the topology key of the unmet term
    /// @param domain the domain without matching pods; empty when the node has no such label
    /// @param terms the terms, all of which pods must match
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

    /// InterPodAffinity: the domain has pods that match the pod's anti-affinity.
    ///
    /// @param pods the number of matching pods
    record PodAntiAffinityViolated(TopologyDomain domain, AffinityTerm term, long pods)
            implements Rejection {
        @Override
        public String text() {
            return "node(s) didn't match pod anti-affinity rules";
        }
    }

    /// InterPodAffinity: the domain has pods whose anti-affinity matches the pod.
    ///
    /// @param pods the number of such pods
    record ExistingAntiAffinityViolated(TopologyDomain domain, long pods) implements Rejection {
        @Override
        public String text() {
            return "node(s) didn't satisfy existing pods anti-affinity rules";
        }
    }

    /// PodTopologySpread: the pod would exceed the maximum skew of a domain.
    ///
    /// @param pods matching pods in the domain, including the pod if it matches
    /// @param fewest the global minimum; zero when there are fewer domains than `minDomains`
    /// @param maxSkew the permitted difference
    record TopologySkewExceeded(TopologyDomain domain, long pods, long fewest, long maxSkew)
            implements Rejection {
        @Override
        public String text() {
            return "node(s) didn't match pod topology spread constraints";
        }
    }

    /// PodTopologySpread: the node lacks the topology label.
    record TopologyLabelMissing(String topologyKey) implements Rejection {
        @Override
        public String text() {
            return "node(s) didn't match pod topology spread constraints"
                    + " (missing required label)";
        }
    }

    /// VolumeBinding: the node affinity of a bound volume does not match.
    record VolumeNodeAffinityMismatch(String volume) implements Rejection {
        @Override
        public String text() {
            return "node(s) didn't match PersistentVolume's node affinity";
        }
    }

    /// VolumeZone: a volume is in another zone.
    record VolumeZoneMismatch(String volume) implements Rejection {
        @Override
        public String text() {
            return "node(s) had no available volume zone";
        }
    }

    /// VolumeBinding: no volume exists for a claim and none can be provisioned.
    record NoVolumeToBind(ObjectRef claim) implements Rejection {
        @Override
        public String text() {
            return "node(s) didn't find available persistent volumes to bind";
        }
    }

    /// VolumeRestrictions: another pod uses a ReadWriteOncePod volume.
    record VolumeInUse(ObjectRef claim) implements Rejection {
        @Override
        public String text() {
            return "node has pod using PersistentVolumeClaim with the same name"
                    + " and ReadWriteOncePod access mode";
        }
    }

    /// DynamicResources: the devices of an allocated claim are not available on the node.
    record ClaimNotOnNode(ObjectRef claim) implements Rejection {
        @Override
        public String text() {
            return "resourceclaim not available on the node";
        }
    }

    /// DynamicResources: an allocated claim has a device with `skipNodeOperations`, which the node
    /// does not support.
    record NodeOperationsNotSkippable(ObjectRef claim, DeviceId device) implements Rejection {
        @Override
        public String text() {
            return "resourceclaim not available on the node";
        }
    }

    /// DynamicResources: an allocated claim cannot be used by the pod on any node.
    record ClaimUnusable(ObjectRef claim, UnusableClaim cause) implements Rejection {
        @Override
        public String text() {
            return cause instanceof UnusableClaim.ReservationsFull(var users)
                    ? "resourceclaim %s is in use by %d pods, which is the maximum"
                            .formatted(claim, users)
                    : "resourceclaim not available on the node";
        }
    }

    /// DynamicResources: an allocated claim maps node resources, which excludes sharing, and
    /// another pod uses it.
    record MappedClaimInUse(ObjectRef claim) implements Rejection {
        @Override
        public String text() {
            return ("node allocatable resource claim %s has a mapped device and cannot be shared"
                            + " across pods")
                    .formatted(claim.name());
        }
    }

    /// NodeResourcesFit: the pod-level resources are less than its containers and devices consume.
    ///
    /// @param isLimit true when the limit is too low, false for the request
    /// @param container the container that exceeds the limit on its own; empty for the sum
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

    /// DynamicResources: proven that no choice of devices satisfies the claims.
    record NoDevices() implements Rejection {
        @Override
        public String text() {
            return "cannot allocate all claims";
        }
    }

    /// DynamicResources: the search for devices reached its step limit.
    record Undecided() implements Rejection {
        @Override
        public String text() {
            return "device search reached its step limit";
        }
    }

    /// The evaluation failed with an error.
    ///
    /// @param everywhere true when the error affects all nodes: Kubernetes then aborts the
    ///   scheduling cycle of the pod
    record Fault(String message, boolean everywhere) implements Rejection {
        @Override
        public String text() {
            return message;
        }
    }
}
