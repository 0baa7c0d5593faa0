package dev.berth.dashboard.fleet;

import dev.berth.core.schedule.BindingConditionState;
import dev.berth.core.schedule.ClaimInspection;
import dev.berth.dashboard.watch.ClusterWatch;
import dev.berth.model.api.claim.ConsumerReference;
import dev.berth.model.api.claim.ResourceClaim;
import dev.berth.model.api.meta.Condition;
import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.api.slice.DeviceId;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/// Use of devices by claims: reserved, being attached, reported as unhealthy.
final class ClaimStates {

    /// Timeout of binding conditions, as the scheduler's default.
    static final Duration BINDING_TIMEOUT = ClaimInspection.DEFAULT_BINDING_TIMEOUT;

    private static final Set<String> HEALTH_CONDITIONS = Set.of("Ready", "Healthy");

    private final ClusterWatch watch;
    private final Clock clock;

    ClaimStates(ClusterWatch watch, Clock clock) {
        this.watch = watch;
        this.clock = clock;
    }

    /// Whether binding conditions of the claim are not met yet.
    boolean isAttaching(ResourceClaim claim) {
        return BindingConditionState.of(claim, BINDING_TIMEOUT, clock.instant())
                instanceof BindingConditionState.Pending;
    }

    /// Whether no pod on a node uses the claim.
    boolean isReserved(ResourceClaim claim) {
        return claim.status().reservedFor().stream().noneMatch(user -> isOnNode(claim, user));
    }

    private boolean isOnNode(ResourceClaim claim, ConsumerReference user) {
        return user.isPodGroup()
                || watch.pods()
                        .find(new ObjectRef(claim.ref().namespace(), user.name()))
                        .map(pod -> !pod.spec().nodeName().isEmpty())
                        .orElse(true);
    }

    /// The driver's report that a device of a claim is not healthy.
    static Optional<String> problem(ResourceClaim claim, DeviceId device) {
        return claim.status().devices().stream()
                .filter(status -> status.id().equals(device))
                .flatMap(status -> status.conditions().stream())
                .filter(one ->
                        HEALTH_CONDITIONS.contains(one.type()) && one.status().equals("False"))
                .map(ClaimStates::text)
                .findFirst();
    }

    private static String text(Condition condition) {
        return condition.message().isEmpty()
                ? "%s: %s".formatted(condition.type(), condition.reason())
                : condition.message();
    }
}
