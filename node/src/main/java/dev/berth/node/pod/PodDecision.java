package dev.berth.node.pod;

import dev.berth.model.json.JsonObject;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// Decision of one pod sync: actions and status.
///
/// @param actions in order; when one fails the rest waits for the next decision
/// @param status the complete status, to be written before the actions if it differs from the
///   cluster's
/// @param workerState for the next decision
/// @param requeueAt when the passing of time may change the decision
public record PodDecision(
        List<PodAction> actions,
        JsonObject status,
        PodWorkerState workerState,
        Optional<Instant> requeueAt) {

    public PodDecision {
        actions = List.copyOf(actions);
    }

    /// Decides.
    public static PodDecision decide(
            PodDefinition definition,
            PodObservation observation,
            PodWorkerState workerState,
            Instant now) {
        var initContainers =
                ContainerObservation.all(definition.initContainers(), definition, observation);
        var main = ContainerObservation.all(definition.main(), definition, observation);
        var cause = TerminationCause.of(definition, observation, initContainers, main, now);
        var input =
                new DecisionInput(definition, observation, initContainers, main, workerState, now);
        return cause.isPresent()
                ? new PodTermination(input, cause.get()).decide()
                : new PodSync(input).decide();
    }

    /// Inputs of a decision.
    record DecisionInput(
            PodDefinition definition,
            PodObservation observation,
            List<ContainerObservation> initContainers,
            List<ContainerObservation> main,
            PodWorkerState workerState,
            Instant now) {

        Stream<ContainerObservation> all() {
            return Stream.concat(initContainers.stream(), main.stream());
        }

        /// Init containers are not run again once a main container was created.
        boolean isInitialized() {
            return main.stream().anyMatch(container -> !container.isAbsent())
                    || initContainers.stream()
                            .allMatch(container ->
                                    container.definition().role()
                                                    == ContainerDefinition.Role.SIDECAR
                                            ? container.hasStarted()
                                            : container.hasSucceeded());
        }

        DecisionInput with(PodWorkerState newHistory) {
            return new DecisionInput(
                    definition, observation, initContainers, main, newHistory, now);
        }
    }

    static Optional<Instant> earlier(Optional<Instant> one, Optional<Instant> other) {
        return one.isEmpty()
                ? other
                : other.map(at -> at.isBefore(one.get()) ? at : one.get()).or(() -> one);
    }
}
