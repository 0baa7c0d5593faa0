package dev.berth.node.pod;

import dev.berth.node.pod.ContainerDefinition.Role;
import dev.berth.node.pod.ContainerObservation.State;
import dev.berth.node.pod.PodDecision.Situation;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/// How a pod that is to run goes on: volumes, claims and a sandbox first, then init containers and
/// sidecars one after the other, then the main containers; whatever ends is started again as it
/// wishes.
final class PodStartup {

    private final Situation situation;
    private final List<PodAction> actions = new ArrayList<>();
    private PodHistory memory;
    private Optional<Instant> lookAgainAt;

    PodStartup(Situation situation) {
        this.situation = situation;
        this.memory = situation.memory();
        this.lookAgainAt = TerminationCause.deadline(situation.task());
    }

    PodDecision decide() {
        var hitch = memory.hitch().filter(one -> one.holds(situation.now()));
        var sandbox = situation.sight().sandbox();
        if (hitch.isPresent()) {
            lookAgainAt = PodDecision.earlier(lookAgainAt, hitch.map(RetryState::retryAt));
        } else if (situation.sight().sandboxes().size() > (sandbox.isPresent() ? 1 : 0)) {
            removeAllBut(sandbox.map(one -> one.id()).orElse(""));
        } else if (sandbox.isEmpty()) {
            begin();
        } else {
            goOn();
        }
        var status = new PodStatusBuilder(situation).status();
        return new PodDecision(actions, status, memory, lookAgainAt);
    }

    private void removeAllBut(String sandbox) {
        for (var one : situation.sight().sandboxes()) {
            if (!one.id().equals(sandbox)) {
                actions.add(new PodAction.RemoveSandbox(one.id()));
            }
        }
    }

    private void begin() {
        actions.add(new PodAction.Mount());
        actions.add(new PodAction.Prepare());
        actions.add(new PodAction.CreateSandbox(attempts()));
    }

    /// Every container that had to be started again may have had a sandbox of its own.
    private int attempts() {
        return situation
                .all()
                .mapToInt(look -> look.isAbsent() ? 0 : look.attempt() + 1)
                .max()
                .orElse(0);
    }

    private void goOn() {
        if (isInitialising()) {
            return;
        }
        for (var look : situation.main()) {
            attend(look);
        }
    }

    /// True when main containers have to wait.
    private boolean isInitialising() {
        var isInitialised = situation.isInitialised();
        for (var look : situation.initial()) {
            if (look.task().role() == Role.SIDECAR) {
                attend(look);
                if (!isInitialised && !look.hasStarted()) {
                    return true;
                }
            } else if (!isInitialised && !look.hasSucceeded()) {
                attend(look);
                return true;
            }
        }
        return false;
    }

    private void attend(ContainerObservation look) {
        switch (look.state()) {
            case State.Absent _ -> start(look, look.attempt());
            case State.Created _ -> {
                // Whoever made it did not come to start it.
                look.id().ifPresent(id -> actions.add(new PodAction.RemoveContainer(id)));
                start(look, look.attempt());
            }
            case State.Running(_, var fitness) -> fitness.sick().ifPresent(ill -> end(look, ill));
            case State.Exited(var how) -> {
                if (!look.isOver()) {
                    startAgain(look, how);
                }
            }
        }
    }

    private void start(ContainerObservation look, int attempt) {
        var hitch = memory.hitch(look.task().name()).filter(one -> one.holds(situation.now()));
        if (hitch.isPresent()) {
            lookAgainAt = PodDecision.earlier(lookAgainAt, hitch.map(RetryState::retryAt));
            return;
        }
        if (!memory.isMounted() && !actions.contains(new PodAction.Mount())) {
            actions.add(new PodAction.Mount());
        }
        actions.add(new PodAction.Start(look.task().name(), attempt));
    }

    private void startAgain(ContainerObservation look, ContainerTermination how) {
        var name = look.task().name();
        var ended = how.finishedAt().orElse(Instant.EPOCH);
        var until = CrashLoopBackoff.until(memory.backoff(name), ended, situation.now());
        if (until.isPresent()) {
            lookAgainAt = PodDecision.earlier(lookAgainAt, until);
            tellOnce(name);
            return;
        }
        if (memory.hitch(name).filter(one -> one.holds(situation.now())).isEmpty()) {
            memory =
                    memory.with(
                            name,
                            CrashLoopBackoff.next(memory.backoff(name), ended, situation.now()));
            removeOlder(look);
        }
        start(look, look.attempt() + 1);
    }

    /// Says that a container has to wait, unless the status says so already.
    private void tellOnce(String container) {
        var task = situation.task();
        var isTold =
                Stream.of("containerStatuses", "initContainerStatuses")
                        .flatMap(field -> task.status().objects(field).stream())
                        .filter(one -> one.text("name").equals(container))
                        .map(one -> one.objectOrEmpty("state").objectOrEmpty("waiting"))
                        .anyMatch(one -> one.text("reason").equals("CrashLoopBackOff"));
        if (!isTold) {
            actions.add(
                    new PodAction.Tell(
                            true,
                            "BackOff",
                            "Back-off restarting failed container %s in pod %s_%s(%s)"
                                    .formatted(
                                            container,
                                            task.ref().name(),
                                            task.ref().namespace(),
                                            task.uid())));
        }
    }

    /// Of those that have ended only the last is kept.
    private void removeOlder(ContainerObservation look) {
        for (var older : situation.sight().containers(look.task().name())) {
            if (!older.id().equals(look.id().orElse(""))) {
                actions.add(new PodAction.RemoveContainer(older.id()));
            }
        }
    }

    private void end(ContainerObservation look, ProbeResults.Illness ill) {
        var id = look.id().orElseThrow();
        if (situation.sight().stopping().containsKey(id)) {
            return;
        }
        var grace =
                look.task()
                        .probe(ill.purpose())
                        .flatMap(Probe::grace)
                        .orElse(situation.task().grace());
        actions.add(
                new PodAction.Stop(
                        id,
                        look.task().name(),
                        situation.now().plus(grace),
                        "Container %s failed %s probe, will be restarted"
                                .formatted(
                                        look.task().name(),
                                        ill.purpose().word().toLowerCase(Locale.ROOT)),
                        look.task().preStop()));
    }
}
