package dev.berth.node.pod;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// Why a pod has to end, or has ended.
///
/// @param phase its last one, where that is settled; otherwise its containers tell
/// @param reason one word; may be empty
record TerminationCause(Optional<String> phase, String reason, String message) {

    private static final TerminationCause PLAIN = new TerminationCause(Optional.empty(), "", "");

    /// Judges a pod; empty when it is to run.
    static Optional<TerminationCause> of(
            PodDefinition task,
            PodObservation sight,
            List<ContainerObservation> initial,
            List<ContainerObservation> main,
            Instant now) {
        if (task.isFinished()) {
            return Optional.of(
                    new TerminationCause(
                            Optional.of(task.status().text("phase")),
                            task.status().text("reason"),
                            task.status().text("message")));
        }
        if (isOver(initial, main)) {
            return Optional.of(PLAIN);
        }
        // A pod that was deleted first is not one that took too long.
        if (task.isLeaving() || sight.isGone()) {
            return Optional.of(PLAIN);
        }
        return deadline(task)
                .filter(at -> !at.isAfter(now))
                .map(_ ->
                        new TerminationCause(
                                Optional.of("Failed"),
                                "DeadlineExceeded",
                                "Pod was active on the node longer than the specified deadline"));
    }

    /// When the pod has been active for too long.
    static Optional<Instant> deadline(PodDefinition task) {
        return task.deadline()
                .flatMap(length ->
                        PodDefinition.instant(task.status().text("startTime"))
                                .map(at -> at.plus(length)));
    }

    /// True when nothing of the pod will be started any more.
    private static boolean isOver(
            List<ContainerObservation> initial, List<ContainerObservation> main) {
        var hasFailedToBegin =
                initial.stream()
                        .anyMatch(look ->
                                look.task().role() == ContainerDefinition.Role.INITIAL
                                        && look.isOver()
                                        && !look.hasSucceeded());
        return hasFailedToBegin
                || (!main.isEmpty() && main.stream().allMatch(ContainerObservation::isOver));
    }

    /// The last phase of a pod whose containers have all ended.
    String lastPhase(List<ContainerObservation> initial, List<ContainerObservation> main) {
        var hasBegunWell =
                initial.stream()
                        .filter(look -> look.task().role() == ContainerDefinition.Role.INITIAL)
                        .allMatch(ContainerObservation::hasSucceeded);
        var hasEndedWell = main.stream().allMatch(ContainerObservation::hasSucceeded);
        return phase.orElse(hasBegunWell && hasEndedWell ? "Succeeded" : "Failed");
    }
}
