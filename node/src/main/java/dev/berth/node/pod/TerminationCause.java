package dev.berth.node.pod;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// Why a pod has to terminate, or has terminated.
///
/// @param phase its final phase if the cause determines it; otherwise it follows from its
///   containers
/// @param reason of the pod status; may be empty
record TerminationCause(Optional<String> phase, String reason, String message) {

    private static final TerminationCause PLAIN = new TerminationCause(Optional.empty(), "", "");

    /// The cause of a pod's termination; empty if it is to run.
    static Optional<TerminationCause> of(
            PodDefinition definition,
            PodObservation observation,
            List<ContainerObservation> initContainers,
            List<ContainerObservation> main,
            Instant now) {
        if (definition.isFinished()) {
            return Optional.of(
                    new TerminationCause(
                            Optional.of(definition.status().text("phase")),
                            definition.status().text("reason"),
                            definition.status().text("message")));
        }
        if (isOver(initContainers, main)) {
            return Optional.of(PLAIN);
        }
        // A deleted pod is not reported as DeadlineExceeded.
        if (definition.isTerminating() || observation.isGone()) {
            return Optional.of(PLAIN);
        }
        return deadline(definition)
                .filter(at -> !at.isAfter(now))
                .map(_ ->
                        new TerminationCause(
                                Optional.of("Failed"),
                                "DeadlineExceeded",
                                "Pod was active on the node longer than the specified deadline"));
    }

    /// When the pod exceeds its active deadline.
    static Optional<Instant> deadline(PodDefinition definition) {
        return definition
                .deadline()
                .flatMap(length ->
                        PodDefinition.instant(definition.status().text("startTime"))
                                .map(at -> at.plus(length)));
    }

    /// True if no container of the pod will be started any more.
    private static boolean isOver(
            List<ContainerObservation> initContainers, List<ContainerObservation> main) {
        var hasInitFailed =
                initContainers.stream()
                        .anyMatch(container ->
                                container.definition().role() == ContainerDefinition.Role.INIT
                                        && container.isOver()
                                        && !container.hasSucceeded());
        return hasInitFailed
                || (!main.isEmpty() && main.stream().allMatch(ContainerObservation::isOver));
    }

    /// The final phase of a pod whose containers have all terminated.
    String lastPhase(List<ContainerObservation> initContainers, List<ContainerObservation> main) {
        var hasInitSucceeded =
                initContainers.stream()
                        .filter(container ->
                                container.definition().role() == ContainerDefinition.Role.INIT)
                        .allMatch(ContainerObservation::hasSucceeded);
        var hasMainSucceeded = main.stream().allMatch(ContainerObservation::hasSucceeded);
        return phase.orElse(hasInitSucceeded && hasMainSucceeded ? "Succeeded" : "Failed");
    }
}
