package dev.berth.core.schedule;

import dev.berth.core.place.Rejection;
import java.util.Set;

/// Why a pod is unschedulable; determines the cluster events that requeue it.
public enum WaitReason {
    /// Too few devices are free, or allocated claims are not available.
    DEVICES,
    /// Resources or host ports of nodes.
    RESOURCES,
    /// One of its claims, regardless of nodes.
    CLAIM,
    /// Volumes are not accessible, in use, or missing.
    VOLUME,
    /// Other node filters: labels, taints, affinity, topology spread.
    OTHER;

    static Set<WaitReason> of(Rejection rejection) {
        // A device class may be created that serves the resource.
        return rejection instanceof Rejection.Insufficient few && few.isUnknownResource()
                ? Set.of(RESOURCES, DEVICES)
                : Set.of(first(rejection));
    }

    private static WaitReason first(Rejection rejection) {
        if (rejection instanceof Rejection.NoDevices
                || rejection instanceof Rejection.ClaimNotOnNode
                || rejection instanceof Rejection.NodeOperationsNotSkippable
                || rejection instanceof Rejection.ClaimUnusable
                || rejection instanceof Rejection.MappedClaimInUse
                || rejection instanceof Rejection.Undecided
                || rejection instanceof Rejection.Fault) {
            return DEVICES;
        }
        if (rejection instanceof Rejection.VolumeNodeAffinityMismatch
                || rejection instanceof Rejection.VolumeZoneMismatch
                || rejection instanceof Rejection.VolumeInUse
                || rejection instanceof Rejection.NoVolumeToBind) {
            return VOLUME;
        }
        return rejection instanceof Rejection.Insufficient
                        || rejection instanceof Rejection.PortTaken
                ? RESOURCES
                : OTHER;
    }
}
