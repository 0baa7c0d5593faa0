package dev.berth.node.pod;

import dev.berth.model.json.JsonObject;
import dev.berth.node.runtime.ContainerState;
import dev.berth.node.runtime.ContainerState.Phase;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// State of the newest container of a name: from the runtime, or else from the last reported status
/// when the runtime has lost it.
///
/// @param id the runtime's ID; empty if the runtime does not have the container
/// @param attempt the number of earlier containers; without a container, the restart count of the
///   next
/// @param last termination of the container before
record ContainerObservation(
        ContainerDefinition definition,
        Optional<String> id,
        int attempt,
        String imageId,
        State state,
        Optional<ContainerTermination> last) {

    /// Lifecycle state of a container.
    sealed interface State {

        /// No container was ever created.
        record Absent() implements State {}

        record Created() implements State {}

        record Running(Instant since, ProbeResults probeResults) implements State {}

        record Exited(ContainerTermination termination) implements State {}
    }

    private static final State ABSENT = new State.Absent();

    static List<ContainerObservation> all(
            List<ContainerDefinition> definitions, PodDefinition pod, PodObservation observation) {
        var containers = new ArrayList<ContainerObservation>();
        for (var definition : definitions) {
            containers.add(of(definition, reported(pod, definition), observation));
        }
        return containers;
    }

    private static JsonObject reported(PodDefinition pod, ContainerDefinition definition) {
        var field =
                definition.role() == ContainerDefinition.Role.MAIN
                        ? "containerStatuses"
                        : "initContainerStatuses";
        return pod.status().objects(field).stream()
                .filter(one -> one.text("name").equals(definition.name()))
                .findFirst()
                .orElse(JsonObject.EMPTY);
    }

    private static ContainerObservation of(
            ContainerDefinition definition, JsonObject reported, PodObservation observation) {
        var present = observation.containers(definition.name());
        if (present.isEmpty()) {
            return fromStatus(definition, reported);
        }
        var newest = present.getFirst();
        var last =
                present.stream()
                        .skip(1)
                        .flatMap(one -> terminationOf(one, observation).stream())
                        .findFirst()
                        .or(() ->
                                lastReported(
                                        reported,
                                        newest.attempt(),
                                        observation.qualified(newest.id())));
        return new ContainerObservation(
                definition,
                Optional.of(newest.id()),
                newest.attempt(),
                newest.imageId(),
                state(definition, newest, observation),
                last);
    }

    private static State state(
            ContainerDefinition definition, ContainerState container, PodObservation observation) {
        return switch (container.phase()) {
            case Phase.Created _ -> new State.Created();
            case Phase.Running(var since) ->
                    new State.Running(since, probeResults(definition, container, observation));
            case Phase.Exited _ ->
                    new State.Exited(terminationOf(container, observation).orElseThrow());
        };
    }

    /// Without probe results yet, a container with probes is not ready, and not started if it has a
    /// startup probe.
    private static ProbeResults probeResults(
            ContainerDefinition definition, ContainerState container, PodObservation observation) {
        var results = observation.probeResults().get(container.id());
        if (results != null) {
            return results;
        }
        var hasStarted = definition.probe(Probe.Purpose.STARTUP).isEmpty();
        return new ProbeResults(
                hasStarted,
                hasStarted && definition.probe(Probe.Purpose.READINESS).isEmpty(),
                Optional.empty());
    }

    private static Optional<ContainerTermination> terminationOf(
            ContainerState container, PodObservation observation) {
        if (!(container.phase()
                instanceof Phase.Exited(var start, var end, var code, var reason, var message))) {
            return Optional.empty();
        }
        var terminationMessage =
                observation.terminationMessages().getOrDefault(container.id(), message);
        return Optional.of(
                new ContainerTermination(
                        code,
                        reason,
                        terminationMessage,
                        Optional.of(start),
                        Optional.of(end),
                        observation.qualified(container.id())));
    }

    /// The reported termination of an earlier container, unless it is this one's.
    private static Optional<ContainerTermination> lastReported(
            JsonObject reported, int attempt, String id) {
        var state = reported.objectOrEmpty("state").object("terminated");
        return state.filter(_ -> reported.number("restartCount").orElse(0) < attempt)
                .or(() -> reported.objectOrEmpty("lastState").object("terminated"))
                .map(ContainerTermination::of)
                .filter(one -> !one.containerId().equals(id));
    }

    private static ContainerObservation fromStatus(
            ContainerDefinition definition, JsonObject reported) {
        var state = reported.objectOrEmpty("state");
        var last =
                reported.objectOrEmpty("lastState")
                        .object("terminated")
                        .map(ContainerTermination::of);
        var attempt = (int) reported.number("restartCount").orElse(0);
        var imageId = reported.text("imageID");
        if (state.object("terminated").isPresent()) {
            var termination = ContainerTermination.of(state.objectOrEmpty("terminated"));
            return new ContainerObservation(
                    definition,
                    Optional.empty(),
                    attempt,
                    imageId,
                    new State.Exited(termination),
                    last);
        }
        if (state.object("running").isPresent()) {
            var termination = ContainerTermination.unknown(reported.text("containerID"));
            return new ContainerObservation(
                    definition,
                    Optional.empty(),
                    attempt,
                    imageId,
                    new State.Exited(termination),
                    last);
        }
        return last.isPresent()
                ? new ContainerObservation(
                        definition,
                        Optional.empty(),
                        attempt,
                        imageId,
                        new State.Exited(last.get()),
                        Optional.empty())
                : new ContainerObservation(
                        definition, Optional.empty(), 0, "", ABSENT, Optional.empty());
    }

    boolean isAbsent() {
        return state instanceof State.Absent;
    }

    boolean isRunning() {
        return state instanceof State.Running;
    }

    boolean hasStarted() {
        return state instanceof State.Running(_, var probeResults) && probeResults.isStarted();
    }

    boolean isReady() {
        return switch (definition.role()) {
            case INIT -> hasSucceeded();
            case SIDECAR, MAIN ->
                    state instanceof State.Running(_, var probeResults)
                            && probeResults.isStarted()
                            && probeResults.isReady();
        };
    }

    boolean hasSucceeded() {
        return state instanceof State.Exited(var termination) && termination.exitCode() == 0;
    }

    /// True if it has terminated and will not be restarted.
    boolean isOver() {
        return state instanceof State.Exited(var termination)
                && !definition.restartPolicy().restarts(termination.exitCode());
    }
}
