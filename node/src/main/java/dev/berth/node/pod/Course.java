package dev.berth.node.pod;

import dev.berth.node.pod.ContainerLook.State;
import dev.berth.node.pod.ContainerTask.Role;
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
final class Course {

    private final Situation situation;
    private final List<Action> actions = new ArrayList<>();
    private PodMemory memory;
    private Optional<Instant> lookAgainAt;

    Course(Situation situation) {
        this.situation = situation;
        this.memory = situation.memory();
        this.lookAgainAt = Ending.deadline(situation.task());
    }

    PodDecision decide() {
        var hitch = memory.hitch().filter(one -> one.holds(situation.now()));
        var sandbox = situation.sight().sandbox();
        if (hitch.isPresent()) {
            lookAgainAt = PodDecision.earlier(lookAgainAt, hitch.map(Hitch::retryAt));
        } else if (situation.sight().sandboxes().size() > (sandbox.isPresent() ? 1 : 0)) {
            removeAllBut(sandbox.map(one -> one.id()).orElse(""));
        } else if (sandbox.isEmpty()) {
            begin();
        } else {
            goOn();
        }
        var status = new PodReport(situation).status();
        return new PodDecision(actions, status, memory, lookAgainAt);
    }

    private void removeAllBut(String sandbox) {
        for (var one : situation.sight().sandboxes()) {
            if (!one.id().equals(sandbox)) {
                actions.add(new Action.RemoveSandbox(one.id()));
            }
        }
    }

    private void begin() {
        actions.add(new Action.Mount());
        actions.add(new Action.Prepare());
        actions.add(new Action.CreateSandbox(attempts()));
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

    private void attend(ContainerLook look) {
        switch (look.state()) {
            case State.Absent _ -> start(look, look.attempt());
            case State.Created _ -> {
                // Whoever made it did not come to start it.
                look.id().ifPresent(id -> actions.add(new Action.RemoveContainer(id)));
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

    private void start(ContainerLook look, int attempt) {
        var hitch = memory.hitch(look.task().name()).filter(one -> one.holds(situation.now()));
        if (hitch.isPresent()) {
            lookAgainAt = PodDecision.earlier(lookAgainAt, hitch.map(Hitch::retryAt));
            return;
        }
        if (!memory.isMounted() && !actions.contains(new Action.Mount())) {
            actions.add(new Action.Mount());
        }
        actions.add(new Action.Start(look.task().name(), attempt));
    }

    private void startAgain(ContainerLook look, Past how) {
        var name = look.task().name();
        var ended = how.finishedAt().orElse(Instant.EPOCH);
        var until = Backoff.until(memory.backoff(name), ended, situation.now());
        if (until.isPresent()) {
            lookAgainAt = PodDecision.earlier(lookAgainAt, until);
            tellOnce(name);
            return;
        }
        if (memory.hitch(name).filter(one -> one.holds(situation.now())).isEmpty()) {
            memory = memory.with(name, Backoff.next(memory.backoff(name), ended, situation.now()));
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
                    new Action.Tell(
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
    private void removeOlder(ContainerLook look) {
        for (var older : situation.sight().containers(look.task().name())) {
            if (!older.id().equals(look.id().orElse(""))) {
                actions.add(new Action.RemoveContainer(older.id()));
            }
        }
    }

    private void end(ContainerLook look, Fitness.Illness ill) {
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
                new Action.Stop(
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
