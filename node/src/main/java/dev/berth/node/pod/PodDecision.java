package dev.berth.node.pod;

import dev.berth.model.json.JsonObject;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// What is to be done about a pod now, and what is to be said of it.
///
/// @param actions in order; when one fails the rest waits for the next decision
/// @param status all of it, to be written before the actions if it is not what the cluster has
/// @param memory for the next decision
/// @param lookAgainAt when time alone may change the decision
public record PodDecision(
        List<PodAction> actions,
        JsonObject status,
        PodHistory memory,
        Optional<Instant> lookAgainAt) {

    public PodDecision {
        actions = List.copyOf(actions);
    }

    /// Decides.
    public static PodDecision decide(
            PodDefinition task, PodObservation sight, PodHistory memory, Instant now) {
        var initial = ContainerObservation.all(task.initial(), task, sight);
        var main = ContainerObservation.all(task.main(), task, sight);
        var ending = TerminationCause.of(task, sight, initial, main, now);
        var situation = new Situation(task, sight, initial, main, memory, now);
        return ending.isPresent()
                ? new PodTermination(situation, ending.get()).decide()
                : new PodStartup(situation).decide();
    }

    /// All that a decision is made of.
    record Situation(
            PodDefinition task,
            PodObservation sight,
            List<ContainerObservation> initial,
            List<ContainerObservation> main,
            PodHistory memory,
            Instant now) {

        Stream<ContainerObservation> all() {
            return Stream.concat(initial.stream(), main.stream());
        }

        /// Once a main container was there, init containers are not run again.
        boolean isInitialised() {
            return main.stream().anyMatch(look -> !look.isAbsent())
                    || initial.stream()
                            .allMatch(look ->
                                    look.task().role() == ContainerDefinition.Role.SIDECAR
                                            ? look.hasStarted()
                                            : look.hasSucceeded());
        }

        Situation with(PodHistory newMemory) {
            return new Situation(task, sight, initial, main, newMemory, now);
        }
    }

    static Optional<Instant> earlier(Optional<Instant> one, Optional<Instant> other) {
        return one.isEmpty()
                ? other
                : other.map(at -> at.isBefore(one.get()) ? at : one.get()).or(() -> one);
    }
}
