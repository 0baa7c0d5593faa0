package dev.berth.dashboard.table;

import dev.berth.core.schedule.BindingConditionState;
import dev.berth.core.schedule.ClaimInspection;
import dev.berth.dashboard.watch.ClusterWatch;
import dev.berth.model.api.claim.ResourceClaim;
import dev.berth.model.api.meta.ObjectRef;
import java.time.Instant;

/// The phase of a claim in its life.
public enum ClaimPhase {
    PENDING("pending"),
    /// Devices are allocated, without a user.
    ALLOCATED("allocated"),
    /// The claim is reserved for pods that are not on a node yet.
    RESERVED("reserved"),
    /// Binding conditions of its devices are not met yet.
    ATTACHING("attaching"),
    IN_USE("inUse"),
    DELETING("deleting");

    private final String text;

    ClaimPhase(String text) {
        this.text = text;
    }

    public String text() {
        return text;
    }

    public static ClaimPhase of(ResourceClaim claim, ClusterWatch watch, Instant now) {
        if (claim.metadata().isDeleting()) {
            return DELETING;
        }
        if (claim.status().allocation().isEmpty()) {
            return PENDING;
        }
        if (claim.status().reservedFor().isEmpty()) {
            return ALLOCATED;
        }
        if (BindingConditionState.of(claim, ClaimInspection.DEFAULT_BINDING_TIMEOUT, now)
                instanceof BindingConditionState.Pending) {
            return ATTACHING;
        }
        var isOnNode =
                claim.status().reservedFor().stream()
                        .anyMatch(user ->
                                user.isPodGroup()
                                        || watch.pods()
                                                .find(
                                                        new ObjectRef(
                                                                claim.ref().namespace(),
                                                                user.name()))
                                                .map(pod -> !pod.spec().nodeName().isEmpty())
                                                .orElse(true));
        return isOnNode ? IN_USE : RESERVED;
    }
}
