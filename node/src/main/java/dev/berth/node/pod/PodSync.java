package dev.berth.node.pod;

import dev.berth.node.pod.ContainerDefinition.Role;
import dev.berth.node.pod.ContainerObservation.State;
import dev.berth.node.pod.PodDecision.DecisionInput;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/// Syncs a pod that is to run: volumes, claims and sandbox first, then init containers and sidecars
/// in order, then the main containers. Terminated containers are restarted by their restart policy.
final class PodSync {

    private final DecisionInput input;
    private final List<PodAction> actions = new ArrayList<>();
    private PodWorkerState workerState;
    private Optional<Instant> requeueAt;

    PodSync(DecisionInput input) {
        this.input = input;
        this.workerState = input.workerState();
        this.requeueAt = TerminationCause.deadline(input.definition());
    }

    PodDecision decide() {
        var retry = workerState.retry().filter(one -> one.isWaiting(input.now()));
        var sandbox = input.observation().sandbox();
        if (retry.isPresent()) {
            requeueAt = PodDecision.earlier(requeueAt, retry.map(RetryState::retryAt));
        } else if (input.observation().sandboxes().size() > (sandbox.isPresent() ? 1 : 0)) {
            removeAllBut(sandbox.map(one -> one.id()).orElse(""));
        } else if (sandbox.isEmpty()) {
            startPod();
        } else {
            syncContainers();
        }
        var status = new PodStatusBuilder(input).status();
        return new PodDecision(actions, status, workerState, requeueAt);
    }

    private void removeAllBut(String sandbox) {
        for (var one : input.observation().sandboxes()) {
            if (!one.id().equals(sandbox)) {
                actions.add(new PodAction.RemoveSandbox(one.id()));
            }
        }
    }

    private void startPod() {
        actions.add(new PodAction.Mount());
        actions.add(new PodAction.Prepare());
        actions.add(new PodAction.CreateSandbox(attempts()));
    }

    /// The attempt number of a new sandbox: every restarted container may have had a sandbox of its
    /// own.
    private int attempts() {
        return input.all()
                .mapToInt(container -> container.isAbsent() ? 0 : container.attempt() + 1)
                .max()
                .orElse(0);
    }

    private void syncContainers() {
        if (isInitializing()) {
            return;
        }
        for (var container : input.main()) {
            syncContainer(container);
        }
    }

    /// True while main containers have to wait.
    private boolean isInitializing() {
        var isInitialized = input.isInitialized();
        for (var container : input.initContainers()) {
            if (container.definition().role() == Role.SIDECAR) {
                syncContainer(container);
                if (!isInitialized && !container.hasStarted()) {
                    return true;
                }
            } else if (!isInitialized && !container.hasSucceeded()) {
                syncContainer(container);
                return true;
            }
        }
        return false;
    }

    private void syncContainer(ContainerObservation container) {
        switch (container.state()) {
            case State.Absent _ -> start(container, container.attempt());
            case State.Created _ -> {
                // The agent stopped between creating and starting it.
                container.id().ifPresent(id -> actions.add(new PodAction.RemoveContainer(id)));
                start(container, container.attempt());
            }
            case State.Running(_, var probeResults) ->
                    probeResults.failure().ifPresent(failure -> stop(container, failure));
            case State.Exited(var termination) -> {
                if (!container.isOver()) {
                    restart(container, termination);
                }
            }
        }
    }

    private void start(ContainerObservation container, int attempt) {
        var retry =
                workerState
                        .retry(container.definition().name())
                        .filter(one -> one.isWaiting(input.now()));
        if (retry.isPresent()) {
            requeueAt = PodDecision.earlier(requeueAt, retry.map(RetryState::retryAt));
            return;
        }
        if (!workerState.isMounted() && !actions.contains(new PodAction.Mount())) {
            actions.add(new PodAction.Mount());
        }
        actions.add(new PodAction.Start(container.definition().name(), attempt));
    }

    private void restart(ContainerObservation container, ContainerTermination termination) {
        var name = container.definition().name();
        var ended = termination.finishedAt().orElse(Instant.EPOCH);
        var until = CrashLoopBackoff.until(workerState.backoff(name), ended, input.now());
        if (until.isPresent()) {
            requeueAt = PodDecision.earlier(requeueAt, until);
            recordBackoffOnce(name);
            return;
        }
        if (workerState.retry(name).filter(one -> one.isWaiting(input.now())).isEmpty()) {
            workerState =
                    workerState.with(
                            name,
                            CrashLoopBackoff.next(workerState.backoff(name), ended, input.now()));
            removeOlder(container);
        }
        start(container, container.attempt() + 1);
    }

    /// Records a BackOff event, unless the status shows the back-off already.
    private void recordBackoffOnce(String container) {
        var definition = input.definition();
        var isReported =
                Stream.of("containerStatuses", "initContainerStatuses")
                        .flatMap(field -> definition.status().objects(field).stream())
                        .filter(one -> one.text("name").equals(container))
                        .map(one -> one.objectOrEmpty("state").objectOrEmpty("waiting"))
                        .anyMatch(one -> one.text("reason").equals("CrashLoopBackOff"));
        if (!isReported) {
            actions.add(
                    new PodAction.RecordEvent(
                            container,
                            true,
                            "BackOff",
                            "Back-off restarting failed container %s in pod %s_%s(%s)"
                                    .formatted(
                                            container,
                                            definition.ref().name(),
                                            definition.ref().namespace(),
                                            definition.uid())));
        }
    }

    /// Of terminated containers only the last one is kept.
    private void removeOlder(ContainerObservation container) {
        for (var older : input.observation().containers(container.definition().name())) {
            if (!older.id().equals(container.id().orElse(""))) {
                actions.add(new PodAction.RemoveContainer(older.id()));
            }
        }
    }

    private void stop(ContainerObservation container, ProbeResults.ProbeFailure failure) {
        var id = container.id().orElseThrow();
        if (input.observation().stopping().containsKey(id)) {
            return;
        }
        var grace =
                container
                        .definition()
                        .probe(failure.purpose())
                        .flatMap(Probe::grace)
                        .orElse(input.definition().grace());
        actions.add(
                new PodAction.Stop(
                        id,
                        container.definition().name(),
                        input.now().plus(grace),
                        "Container %s failed %s probe, will be restarted"
                                .formatted(
                                        container.definition().name(),
                                        failure.purpose().text().toLowerCase(Locale.ROOT)),
                        container.definition().preStop()));
    }
}
