package dev.berth.node.pod;

import dev.berth.model.json.JsonObject;
import dev.berth.node.runtime.ContainerState;
import dev.berth.node.runtime.ContainerState.Phase;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// What is known of the newest container of a name: by the runtime, or else by what was told of it
/// before the runtime lost it.
///
/// @param id the runtime's; empty when it does not know it
/// @param attempt how many there were before; without a container, how many there will have been
/// @param last how the one before ended
record ContainerObservation(
        ContainerDefinition task,
        Optional<String> id,
        int attempt,
        String imageId,
        State state,
        Optional<ContainerTermination> last) {

    /// How far it is.
    sealed interface State {

        /// There was none.
        record Absent() implements State {}

        record Created() implements State {}

        record Running(Instant since, ProbeResults fitness) implements State {}

        record Exited(ContainerTermination how) implements State {}
    }

    private static final State ABSENT = new State.Absent();

    static List<ContainerObservation> all(
            List<ContainerDefinition> tasks, PodDefinition pod, PodObservation sight) {
        var looks = new ArrayList<ContainerObservation>();
        for (var task : tasks) {
            looks.add(of(task, told(pod, task), sight));
        }
        return looks;
    }

    private static JsonObject told(PodDefinition pod, ContainerDefinition task) {
        var field =
                task.role() == ContainerDefinition.Role.MAIN
                        ? "containerStatuses"
                        : "initContainerStatuses";
        return pod.status().objects(field).stream()
                .filter(one -> one.text("name").equals(task.name()))
                .findFirst()
                .orElse(JsonObject.EMPTY);
    }

    private static ContainerObservation of(
            ContainerDefinition task, JsonObject told, PodObservation sight) {
        var present = sight.containers(task.name());
        if (present.isEmpty()) {
            return remembered(task, told);
        }
        var newest = present.getFirst();
        var last =
                present.stream()
                        .skip(1)
                        .flatMap(one -> past(one, sight).stream())
                        .findFirst()
                        .or(() -> lastTold(told, newest.attempt(), sight.qualified(newest.id())));
        return new ContainerObservation(
                task,
                Optional.of(newest.id()),
                newest.attempt(),
                newest.imageId(),
                state(task, newest, sight),
                last);
    }

    private static State state(
            ContainerDefinition task, ContainerState container, PodObservation sight) {
        return switch (container.phase()) {
            case Phase.Created _ -> new State.Created();
            case Phase.Running(var since) ->
                    new State.Running(since, fitness(task, container, sight));
            case Phase.Exited _ -> new State.Exited(past(container, sight).orElseThrow());
        };
    }

    /// Until somebody has asked, what has probes is not ready, and has not started if that is asked
    /// for.
    private static ProbeResults fitness(
            ContainerDefinition task, ContainerState container, PodObservation sight) {
        var found = sight.fitness().get(container.id());
        if (found != null) {
            return found;
        }
        var hasStarted = task.probe(Probe.Purpose.STARTUP).isEmpty();
        return new ProbeResults(
                hasStarted,
                hasStarted && task.probe(Probe.Purpose.READINESS).isEmpty(),
                Optional.empty());
    }

    private static Optional<ContainerTermination> past(
            ContainerState container, PodObservation sight) {
        if (!(container.phase()
                instanceof Phase.Exited(var start, var end, var code, var reason, var message))) {
            return Optional.empty();
        }
        var farewell = sight.farewells().getOrDefault(container.id(), message);
        return Optional.of(
                new ContainerTermination(
                        code,
                        reason,
                        farewell,
                        Optional.of(start),
                        Optional.of(end),
                        sight.qualified(container.id())));
    }

    /// What was told of an earlier container, if that is not this one.
    private static Optional<ContainerTermination> lastTold(
            JsonObject told, int attempt, String id) {
        var state = told.objectOrEmpty("state").object("terminated");
        return state.filter(_ -> told.number("restartCount").orElse(0) < attempt)
                .or(() -> told.objectOrEmpty("lastState").object("terminated"))
                .map(ContainerTermination::of)
                .filter(one -> !one.containerId().equals(id));
    }

    private static ContainerObservation remembered(ContainerDefinition task, JsonObject told) {
        var state = told.objectOrEmpty("state");
        var last =
                told.objectOrEmpty("lastState").object("terminated").map(ContainerTermination::of);
        var attempt = (int) told.number("restartCount").orElse(0);
        var imageId = told.text("imageID");
        if (state.object("terminated").isPresent()) {
            var how = ContainerTermination.of(state.objectOrEmpty("terminated"));
            return new ContainerObservation(
                    task, Optional.empty(), attempt, imageId, new State.Exited(how), last);
        }
        if (state.object("running").isPresent()) {
            var how = ContainerTermination.unknown(told.text("containerID"));
            return new ContainerObservation(
                    task, Optional.empty(), attempt, imageId, new State.Exited(how), last);
        }
        return last.isPresent()
                ? new ContainerObservation(
                        task,
                        Optional.empty(),
                        attempt,
                        imageId,
                        new State.Exited(last.get()),
                        Optional.empty())
                : new ContainerObservation(task, Optional.empty(), 0, "", ABSENT, Optional.empty());
    }

    boolean isAbsent() {
        return state instanceof State.Absent;
    }

    boolean isRunning() {
        return state instanceof State.Running;
    }

    boolean hasStarted() {
        return state instanceof State.Running(_, var fitness) && fitness.isStarted();
    }

    boolean isReady() {
        return switch (task.role()) {
            case INITIAL -> hasSucceeded();
            case SIDECAR, MAIN ->
                    state instanceof State.Running(_, var fitness)
                            && fitness.isStarted()
                            && fitness.isReady();
        };
    }

    boolean hasSucceeded() {
        return state instanceof State.Exited(var how) && how.exitCode() == 0;
    }

    /// True when it has ended and stays so.
    boolean isOver() {
        return state instanceof State.Exited(var how)
                && !task.restartPolicy().restarts(how.exitCode());
    }
}
