package dev.berth.core.schedule;

import dev.berth.core.place.Rejection;
import java.util.Set;

/// Why a pod waits, as far as it decides what is worth another try.
public enum WaitReason {
    /// Devices: too few are free, or claims hold devices out of reach.
    DEVICES,
    /// Room on nodes: resources and ports.
    RESOURCES,
    /// One of its claims, whatever the nodes are like.
    CLAIM,
    /// Volumes: those of its claims are out of reach, in use, or not there.
    VOLUME,
    /// Anything else about nodes and the pods on them.
    OTHER;

    static Set<WaitReason> of(Rejection rejection) {
        // A class may come that stands for it.
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
