package dev.berth.core.place;

import dev.berth.model.api.NodeTaint;
import dev.berth.model.api.ObjectRef;
import dev.berth.model.quantity.Quantity;

/// Why a node is not for a pod. The texts are those that Kubernetes' scheduler uses, so that they
/// can be compared and searched for.
public sealed interface Reason {

    String text();

    /// The pod asks for another node by name.
    record OtherNode() implements Reason {
        @Override
        public String text() {
            return "node(s) didn't match the requested node name";
        }
    }

    /// The node takes no new pods.
    record Unschedulable() implements Reason {
        @Override
        public String text() {
            return "node(s) were unschedulable";
        }
    }

    record Tainted(NodeTaint taint) implements Reason {
        @Override
        public String text() {
            return "node(s) had untolerated taint {%s: %s}".formatted(taint.key(), taint.value());
        }
    }

    /// The node selector or the required node affinity means others.
    record NotSelected() implements Reason {
        @Override
        public String text() {
            return "node(s) didn't match Pod's node affinity/selector";
        }
    }

    /// Too little of a resource is left.
    record Insufficient(String resource, Quantity asked, Quantity left) implements Reason {
        @Override
        public String text() {
            return resource.equals("pods") ? "Too many pods" : "Insufficient " + resource;
        }
    }

    record PortTaken(long port) implements Reason {
        @Override
        public String text() {
            return "node(s) didn't have free ports for the requested pod ports";
        }
    }

    /// A claim of the pod holds devices that this node cannot reach.
    record ClaimElsewhere(ObjectRef claim) implements Reason {
        @Override
        public String text() {
            return "resourceclaim not available on the node";
        }
    }

    /// No choice of devices satisfies the claims, which is proved.
    record NoDevices() implements Reason {
        @Override
        public String text() {
            return "cannot allocate all claims";
        }
    }

    /// The search for devices was given up.
    record Undecided() implements Reason {
        @Override
        public String text() {
            return "gave up looking for devices";
        }
    }

    /// The question about devices cannot be answered.
    ///
    /// @param everywhere true when no node can be asked: Kubernetes then gives up on the pod
    record Fault(String message, boolean everywhere) implements Reason {
        @Override
        public String text() {
            return message;
        }
    }
}
