package dev.berth.core.schedule;

import dev.berth.core.place.Rejection;
import java.util.Set;

/// Why a pod waits, as far as it decides what is worth another try.
public enum WaitReason {
    /// Devices: too few are free, or claims hold devices out of reach.
    DEVICES,
    /// Room on nodes: resources and ports.
    ROOM,
    /// One of its claims, whatever the nodes are like.
    CLAIM,
    /// Volumes: those of its claims are out of reach, in use, or not there.
    VOLUME,
    /// Anything else about nodes and the pods on them.
    OTHER;

    static Set<WaitReason> of(Rejection reason) {
        // A class may come that stands for it.
        return reason instanceof Rejection.Insufficient few && few.isOfNothing()
                ? Set.of(ROOM, DEVICES)
                : Set.of(first(reason));
    }

    private static WaitReason first(Rejection reason) {
        if (reason instanceof Rejection.NoDevices
                || reason instanceof Rejection.ClaimElsewhere
                || reason instanceof Rejection.CannotSkip
                || reason instanceof Rejection.ClaimUnusable
                || reason instanceof Rejection.MappedClaim
                || reason instanceof Rejection.Undecided
                || reason instanceof Rejection.Fault) {
            return DEVICES;
        }
        if (reason instanceof Rejection.VolumeElsewhere
                || reason instanceof Rejection.VolumeZone
                || reason instanceof Rejection.VolumeInUse
                || reason instanceof Rejection.NoVolume) {
            return VOLUME;
        }
        return reason instanceof Rejection.Insufficient || reason instanceof Rejection.PortTaken
                ? ROOM
                : OTHER;
    }
}
