package dev.berth.node.pod;

import dev.berth.node.pod.ContainerDefinition.Role;
import dev.berth.node.pod.PodDecision.DecisionInput;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Terminates a pod: main containers, then sidecars in reverse order, then the sandbox, then claims
/// are unprepared, then volumes unmounted, then the final status is written, and only then the pod
/// is deleted. Each step is derived from what is left, so that after a crash termination continues
/// where it was.
final class PodTermination {

    /// Minimum grace period of a container, however late it is.
    private static final Duration MIN_GRACE = Duration.ofSeconds(2);

    /// A container that is being stopped is stopped again only if that shortens its grace period by
    /// this much.
    private static final Duration MIN_GAIN = Duration.ofSeconds(1);

    private final DecisionInput input;
    private final TerminationCause cause;

    PodTermination(DecisionInput input, TerminationCause cause) {
        this.input = input;
        this.cause = cause;
    }

    PodDecision decide() {
        var workerState = input.workerState().terminatingBy(terminateBy());
        var observation = input.observation();
        if (input.all().anyMatch(ContainerObservation::isRunning)) {
            return decision(
                    stops(workerState.terminateBy().orElseThrow()), workerState, Optional.empty());
        }
        var retry = workerState.retry().filter(one -> one.isWaiting(input.now()));
        if (retry.isPresent()) {
            return decision(List.of(), workerState, retry.map(RetryState::retryAt));
        }
        if (!observation.sandboxes().isEmpty()) {
            var removals = new ArrayList<PodAction>();
            observation
                    .sandboxes()
                    .forEach(one -> removals.add(new PodAction.RemoveSandbox(one.id())));
            return decision(removals, workerState, Optional.empty());
        }
        if (observation.holdsClaims()) {
            return decision(List.of(new PodAction.Unprepare()), workerState, Optional.empty());
        }
        if (!workerState.isUnmounted()) {
            return decision(List.of(new PodAction.Unmount()), workerState, Optional.empty());
        }
        return finish(workerState);
    }

    private Instant terminateBy() {
        var now = input.now();
        var before = input.workerState().terminateBy().orElse(now.plus(input.definition().grace()));
        var deletion = input.definition().deletionTimestamp().orElse(before);
        return deletion.isBefore(before) ? deletion : before;
    }

    private List<PodAction> stops(Instant terminateBy) {
        var earliest = input.now().plus(MIN_GRACE);
        var by = terminateBy.isBefore(earliest) ? earliest : terminateBy;
        var stops = new ArrayList<PodAction>();
        var isAnyRunning = false;
        for (var container : input.all().toList().reversed()) {
            if (!container.isRunning()
                    || (container.definition().role() == Role.SIDECAR && isAnyRunning)) {
                continue;
            }
            isAnyRunning = true;
            var id = container.id().orElseThrow();
            var stoppingBy = Optional.ofNullable(input.observation().stopping().get(id));
            if (stoppingBy.isEmpty() || stoppingBy.get().isAfter(by.plus(MIN_GAIN))) {
                stops.add(
                        new PodAction.Stop(
                                id,
                                container.definition().name(),
                                by,
                                "Stopping container " + container.definition().name(),
                                stoppingBy.isEmpty()
                                        ? container.definition().preStop()
                                        : Optional.empty()));
            }
        }
        return stops;
    }

    private PodDecision decision(
            List<PodAction> actions, PodWorkerState workerState, Optional<Instant> requeueAt) {
        var status = new PodStatusBuilder(input.with(workerState)).status();
        return new PodDecision(actions, status, workerState, requeueAt);
    }

    private PodDecision finish(PodWorkerState workerState) {
        var definition = input.definition();
        var phase = cause.lastPhase(input.initContainers(), input.main());
        var status = new PodStatusBuilder(input.with(workerState)).lastStatus(phase, cause);
        if (input.observation().isGone()) {
            return new PodDecision(
                    List.of(new PodAction.Forget()), status, workerState, Optional.empty());
        }
        // A grace period of zero means that deletion was requested already.
        var isDeleteRequested =
                definition
                                .tree()
                                .objectOrEmpty("metadata")
                                .number("deletionGracePeriodSeconds")
                                .orElse(1)
                        == 0;
        return new PodDecision(
                definition.isTerminating() && !isDeleteRequested
                        ? List.of(new PodAction.Delete())
                        : List.of(),
                status,
                workerState,
                Optional.empty());
    }
}
