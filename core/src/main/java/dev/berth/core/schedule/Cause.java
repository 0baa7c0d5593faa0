package dev.berth.core.schedule;

import dev.berth.core.place.Reason;
import java.util.Set;

/// Why a pod waits, as far as it decides what is worth another try.
public enum Cause {
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

    static Set<Cause> of(Reason reason) {
        // A class may come that stands for it.
        return reason instanceof Reason.Insufficient few && few.isOfNothing()
                ? Set.of(ROOM, DEVICES)
                : Set.of(first(reason));
    }

    private static Cause first(Reason reason) {
        if (reason instanceof Reason.NoDevices
                || reason instanceof Reason.ClaimElsewhere
                || reason instanceof Reason.CannotSkip
                || reason instanceof Reason.ClaimUnusable
                || reason instanceof Reason.MappedClaim
                || reason instanceof Reason.Undecided
                || reason instanceof Reason.Fault) {
            return DEVICES;
        }
        if (reason instanceof Reason.VolumeElsewhere
                || reason instanceof Reason.VolumeZone
                || reason instanceof Reason.VolumeInUse
                || reason instanceof Reason.NoVolume) {
            return VOLUME;
        }
        return reason instanceof Reason.Insufficient || reason instanceof Reason.PortTaken
                ? ROOM
                : OTHER;
    }
}
