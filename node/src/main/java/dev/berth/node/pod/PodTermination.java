package dev.berth.node.pod;

import dev.berth.node.pod.ContainerDefinition.Role;
import dev.berth.node.pod.PodDecision.Situation;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// How a pod ends: main containers, then sidecars in reverse, then the sandbox, then the claims are
/// unprepared, then volumes go, then the cluster is told that it has ended, and only then it is
/// deleted. Each step is decided by what is left, so that whoever goes on after a crash goes on
/// where it was.
final class PodTermination {

    /// A container always gets so long, however late it is.
    private static final Duration LEAST = Duration.ofSeconds(2);

    /// A container that is being ended is asked again only if that makes it end so much sooner.
    private static final Duration WORTHWHILE = Duration.ofSeconds(1);

    private final Situation situation;
    private final TerminationCause ending;

    PodTermination(Situation situation, TerminationCause ending) {
        this.situation = situation;
        this.ending = ending;
    }

    PodDecision decide() {
        var memory = situation.memory().endingBy(endBy());
        var sight = situation.sight();
        if (situation.all().anyMatch(ContainerObservation::isRunning)) {
            return report(stops(memory.endBy().orElseThrow()), memory, Optional.empty());
        }
        var hitch = memory.hitch().filter(one -> one.holds(situation.now()));
        if (hitch.isPresent()) {
            return report(List.of(), memory, hitch.map(RetryState::retryAt));
        }
        if (!sight.sandboxes().isEmpty()) {
            var removals = new ArrayList<PodAction>();
            sight.sandboxes().forEach(one -> removals.add(new PodAction.RemoveSandbox(one.id())));
            return report(removals, memory, Optional.empty());
        }
        if (sight.holdsClaims()) {
            return report(List.of(new PodAction.Unprepare()), memory, Optional.empty());
        }
        if (!memory.isTakenDown()) {
            return report(List.of(new PodAction.TakeDown()), memory, Optional.empty());
        }
        return last(memory);
    }

    private Instant endBy() {
        var now = situation.now();
        var before = situation.memory().endBy().orElse(now.plus(situation.task().grace()));
        var leaving = situation.task().leavingBy().orElse(before);
        return leaving.isBefore(before) ? leaving : before;
    }

    private List<PodAction> stops(Instant endBy) {
        var least = situation.now().plus(LEAST);
        var by = endBy.isBefore(least) ? least : endBy;
        var stops = new ArrayList<PodAction>();
        var isAnyoneLeft = false;
        for (var look : situation.all().toList().reversed()) {
            if (!look.isRunning() || (look.task().role() == Role.SIDECAR && isAnyoneLeft)) {
                continue;
            }
            isAnyoneLeft = true;
            var id = look.id().orElseThrow();
            var asked = Optional.ofNullable(situation.sight().stopping().get(id));
            if (asked.isEmpty() || asked.get().isAfter(by.plus(WORTHWHILE))) {
                stops.add(
                        new PodAction.Stop(
                                id,
                                look.task().name(),
                                by,
                                "Stopping container " + look.task().name(),
                                asked.isEmpty() ? look.task().preStop() : Optional.empty()));
            }
        }
        return stops;
    }

    private PodDecision report(
            List<PodAction> actions, PodHistory memory, Optional<Instant> lookAgainAt) {
        var status = new PodStatusBuilder(situation.with(memory)).status();
        return new PodDecision(actions, status, memory, lookAgainAt);
    }

    private PodDecision last(PodHistory memory) {
        var task = situation.task();
        var phase = ending.lastPhase(situation.initial(), situation.main());
        var status = new PodStatusBuilder(situation.with(memory)).lastStatus(phase, ending);
        if (situation.sight().isGone()) {
            return new PodDecision(
                    List.of(new PodAction.Forget()), status, memory, Optional.empty());
        }
        // A grace of nothing says that it has been asked for already.
        var isAsked =
                task.tree().objectOrEmpty("metadata").number("deletionGracePeriodSeconds").orElse(1)
                        == 0;
        return new PodDecision(
                task.isLeaving() && !isAsked ? List.of(new PodAction.Delete()) : List.of(),
                status,
                memory,
                Optional.empty());
    }
}
