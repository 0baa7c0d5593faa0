package dev.berth.core.schedule;

import dev.berth.core.schedule.BindingCommand.ClaimTask;
import dev.berth.model.api.claim.AllocationResult;
import dev.berth.model.api.meta.ObjectRef;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// State machine of bindings: the next stage and the commands for each stage and event, without
/// I/O.
///
/// Each pod goes through the same stages. Its claims are written; pods that share a claim write it
/// one after the other, so that no write conflicts. Then the pod waits until the watch shows the
/// writes and until the binding conditions of its devices are true. Its volumes are bound, and then
/// the pod. On failure the assumptions are forgotten and the writes are undone, except allocations:
/// the claim keeps them for the next attempt.
///
/// @param stampsAllocations whether allocations get a timestamp, from which binding conditions time
///   out
/// @param conditionsTimeout timeout of binding conditions
public record BindingRules(boolean stampsAllocations, Duration conditionsTimeout) {

    /// The time that Kubernetes waits for a claim that it created.
    static final Duration WATCH_TIMEOUT = Duration.ofMinutes(2);

    static final String POD_DELETED = "the pod was deleted";

    /// The step of a binding after an event. An event without meaning in the stage changes nothing.
    public BindingStep next(BindingCycle cycle, BindingEvent event, BindingFacts facts) {
        return switch (event) {
            case BindingEvent.Started _, BindingEvent.OtherWriteEnded _ ->
                    cycle.stage() instanceof BindingStage.AwaitingWrite
                            ? write(cycle, facts)
                            : unchanged(cycle);
            case BindingEvent.ClaimsWritten(var writes) -> claimsWritten(cycle, writes, facts);
            case BindingEvent.ExtendedClaimWritten written ->
                    extendedClaimWritten(cycle, written, facts);
            case BindingEvent.ClaimWriteFailed failed -> claimWriteFailed(cycle, failed, facts);
            case BindingEvent.ClaimSeen _, BindingEvent.VolumesSeen _ ->
                    cycle.stage() instanceof BindingStage.Waiting waiting
                            ? check(cycle, waiting, facts)
                            : unchanged(cycle);
            case BindingEvent.ClaimDeleted(var claim) -> claimDeleted(cycle, claim, facts);
            case BindingEvent.VolumesWritten(var versions) ->
                    cycle.stage() instanceof BindingStage.WritingVolumes writing
                            ? check(
                                    cycle,
                                    new BindingStage.AwaitingVolumes(
                                            writing.writes(),
                                            writing.since(),
                                            writing.volumes(),
                                            versions),
                                    facts)
                            : unchanged(cycle);
            case BindingEvent.VolumeWriteFailed(var message) ->
                    cycle.stage() instanceof BindingStage.WritingVolumes writing
                            ? undo(cycle, writing.writes(), message, facts)
                            : unchanged(cycle);
            case BindingEvent.PodDeleted _ -> podDeleted(cycle, facts);
            case BindingEvent.TimePassed _ -> timePassed(cycle, facts);
            case BindingEvent.PodBound _ ->
                    cycle.stage() instanceof BindingStage.Binding ? bound(cycle) : unchanged(cycle);
            case BindingEvent.BindFailed(var message) ->
                    cycle.stage() instanceof BindingStage.Binding(var writes)
                            ? undo(cycle, writes, message, facts)
                            : unchanged(cycle);
            case BindingEvent.RolledBack _ ->
                    cycle.stage() instanceof BindingStage.Undoing(var message)
                            ? BindingStep.of(
                                    new BindingStage.Failed(message),
                                    new BindingCommand.ReportFailure(message))
                            : unchanged(cycle);
        };
    }

    private static BindingStep unchanged(BindingCycle cycle) {
        return BindingStep.of(cycle.stage());
    }

    private BindingStep write(BindingCycle cycle, BindingFacts facts) {
        var problem = BindingClaimCheck.beforeWrite(cycle, facts);
        if (problem.isPresent()) {
            return undo(cycle, BindingWrites.NONE, problem.get(), facts);
        }
        var tasks = tasks(cycle, facts);
        var claims = new HashSet<ObjectRef>();
        for (var task : tasks) {
            if (facts.isBeingWritten(task.ref())) {
                return unchanged(cycle);
            }
            claims.add(task.ref());
        }
        var earlier = earlierWrites(cycle, claims, facts);
        return tasks.isEmpty()
                ? afterClaims(cycle, earlier, facts)
                : BindingStep.of(
                        new BindingStage.WritingClaims(claims, earlier),
                        new BindingCommand.WriteClaims(tasks));
    }

    private List<ClaimTask> tasks(BindingCycle cycle, BindingFacts facts) {
        var tasks = new ArrayList<ClaimTask>();
        for (var claim : cycle.placed().request().allocated()) {
            var now = facts.latest(claim.ref()).orElseThrow();
            var user = cycle.consumer(claim.ref());
            if (!now.status().reservedFor().contains(user)) {
                tasks.add(new ClaimTask(now, Optional.empty(), user));
            }
        }
        for (var allocation : cycle.placed().fits().allocations()) {
            if (!cycle.isExtended(allocation.ref())) {
                var now = facts.latest(allocation.ref()).orElseThrow();
                var result = Optional.of(stamped(allocation.result(), facts));
                tasks.add(new ClaimTask(now, result, cycle.consumer(allocation.ref())));
            }
        }
        return tasks;
    }

    private AllocationResult stamped(AllocationResult result, BindingFacts facts) {
        return stampsAllocations && result.allocationTimestamp().isEmpty()
                ? new AllocationResult(
                        result.devices(),
                        result.config(),
                        result.nodeSelector(),
                        Optional.of(facts.now().truncatedTo(ChronoUnit.SECONDS)))
                : result;
    }

    /// Another pod of the group may have written a version that the watch has not shown yet.
    private static BindingWrites earlierWrites(
            BindingCycle cycle, Set<ObjectRef> ownWrites, BindingFacts facts) {
        var earlier = new ArrayList<BindingWrites.Write>();
        for (var claim : cycle.placed().request().allocated()) {
            if (!ownWrites.contains(claim.ref()) && !facts.isBeingWritten(claim.ref())) {
                facts.claims().unseen().apply(claim.ref()).ifPresent(earlier::add);
            }
        }
        return BindingWrites.of(earlier);
    }

    /// The step after all claims that existed before are written.
    private BindingStep afterClaims(BindingCycle cycle, BindingWrites writes, BindingFacts facts) {
        if (cycle.placed().extended().isEmpty()) {
            return check(cycle, new BindingStage.AwaitingWatch(writes, facts.now()), facts);
        }
        // The claim for extended resources is the last of the request.
        var allocation = cycle.placed().fits().allocations().getLast();
        return BindingStep.of(
                new BindingStage.CreatingExtendedClaim(writes),
                new BindingCommand.CreateExtendedClaim(
                        cycle.placed().request().toAllocate().getLast(),
                        stamped(allocation.result(), facts),
                        cycle.consumer(allocation.ref())));
    }

    private BindingStep claimsWritten(
            BindingCycle cycle, List<BindingWrites.Write> written, BindingFacts facts) {
        return switch (cycle.stage()) {
            case BindingStage.WritingClaims(var claims, var writes) ->
                    afterClaims(cycle, writes.plus(written), facts)
                            .then(new BindingCommand.ResumeWriters(claims));
            case BindingStage.CancelledWrite(var claims, var writes) ->
                    undo(cycle, writes.plus(written), POD_DELETED, facts)
                            .then(new BindingCommand.ResumeWriters(claims));
            case BindingStage.AwaitingWrite _,
                    BindingStage.CreatingExtendedClaim _,
                    BindingStage.Waiting _,
                    BindingStage.Binding _,
                    BindingStage.Undoing _,
                    BindingStage.Bound _,
                    BindingStage.Failed _ ->
                    unchanged(cycle);
        };
    }

    private BindingStep extendedClaimWritten(
            BindingCycle cycle, BindingEvent.ExtendedClaimWritten written, BindingFacts facts) {
        return switch (cycle.stage()) {
            case BindingStage.CreatingExtendedClaim(var writes) ->
                    check(
                            cycle,
                            new BindingStage.AwaitingWatch(with(writes, written), facts.now()),
                            facts);
            case BindingStage.CancelledWrite(_, var writes) ->
                    undo(cycle, with(writes, written), POD_DELETED, facts);
            case BindingStage.AwaitingWrite _,
                    BindingStage.WritingClaims _,
                    BindingStage.Waiting _,
                    BindingStage.Binding _,
                    BindingStage.Undoing _,
                    BindingStage.Bound _,
                    BindingStage.Failed _ ->
                    unchanged(cycle);
        };
    }

    private static BindingWrites with(
            BindingWrites writes, BindingEvent.ExtendedClaimWritten written) {
        return writes.plus(List.of(written.write())).withExtendedClaim(written.claim());
    }

    private static BindingStep claimWriteFailed(
            BindingCycle cycle, BindingEvent.ClaimWriteFailed failed, BindingFacts facts) {
        return switch (cycle.stage()) {
            case BindingStage.WritingClaims(var claims, var writes) ->
                    undo(cycle, with(writes, failed), failed.message(), facts)
                            .then(new BindingCommand.ResumeWriters(claims));
            case BindingStage.CreatingExtendedClaim(var writes) ->
                    undo(cycle, with(writes, failed), failed.message(), facts);
            case BindingStage.CancelledWrite(var claims, var writes) ->
                    undo(cycle, with(writes, failed), POD_DELETED, facts)
                            .then(new BindingCommand.ResumeWriters(claims));
            case BindingStage.AwaitingWrite _,
                    BindingStage.Waiting _,
                    BindingStage.Binding _,
                    BindingStage.Undoing _,
                    BindingStage.Bound _,
                    BindingStage.Failed _ ->
                    unchanged(cycle);
        };
    }

    private static BindingWrites with(BindingWrites writes, BindingEvent.ClaimWriteFailed failed) {
        var all = writes.plus(failed.writes());
        return failed.created().map(all::withExtendedClaim).orElse(all);
    }

    /// A deleted claim ends the wait at once. Writes in progress find out by themselves.
    private static BindingStep claimDeleted(
            BindingCycle cycle, ObjectRef claim, BindingFacts facts) {
        return cycle.stage() instanceof BindingStage.Waiting waiting
                        && cycle.stored(waiting.writes()).contains(claim)
                ? undo(cycle, waiting.writes(), BindingClaimCheck.deleted(claim), facts)
                : unchanged(cycle);
    }

    /// A write in progress cannot be abandoned: its outcome is not known yet.
    private static BindingStep podDeleted(BindingCycle cycle, BindingFacts facts) {
        return switch (cycle.stage()) {
            case BindingStage.AwaitingWrite _ ->
                    undo(cycle, BindingWrites.NONE, POD_DELETED, facts);
            case BindingStage.WritingClaims(var claims, var writes) ->
                    BindingStep.of(new BindingStage.CancelledWrite(claims, writes));
            case BindingStage.CreatingExtendedClaim(var writes) ->
                    BindingStep.of(new BindingStage.CancelledWrite(Set.of(), writes));
            case BindingStage.Waiting waiting -> undo(cycle, waiting.writes(), POD_DELETED, facts);
            case BindingStage.CancelledWrite _,
                    BindingStage.Binding _,
                    BindingStage.Undoing _,
                    BindingStage.Bound _,
                    BindingStage.Failed _ ->
                    unchanged(cycle);
        };
    }

    private BindingStep timePassed(BindingCycle cycle, BindingFacts facts) {
        return switch (cycle.stage()) {
            case BindingStage.AwaitingWatch(var writes, var since) ->
                    since.plus(WATCH_TIMEOUT).isBefore(facts.now())
                            ? undo(
                                    cycle,
                                    writes,
                                    "timed out waiting for the watch to show the written claims",
                                    facts)
                            : unchanged(cycle);
            case BindingStage.Waiting waiting -> check(cycle, waiting, facts);
            case BindingStage.AwaitingWrite _,
                    BindingStage.WritingClaims _,
                    BindingStage.CreatingExtendedClaim _,
                    BindingStage.CancelledWrite _,
                    BindingStage.Binding _,
                    BindingStage.Undoing _,
                    BindingStage.Bound _,
                    BindingStage.Failed _ ->
                    unchanged(cycle);
        };
    }

    private BindingStep check(BindingCycle cycle, BindingStage.Waiting stage, BindingFacts facts) {
        return new BindingChecks(cycle, stage, facts, conditionsTimeout).next();
    }

    private static BindingStep undo(
            BindingCycle cycle, BindingWrites writes, String message, BindingFacts facts) {
        return BindingUndo.of(cycle, writes, message, facts);
    }

    private static BindingStep bound(BindingCycle cycle) {
        return BindingStep.of(
                new BindingStage.Bound(),
                new BindingCommand.ReportBound(),
                new BindingCommand.RecordEvent(
                        "Scheduled",
                        "Binding",
                        "Successfully assigned %s to %s".formatted(cycle.ref(), cycle.node())));
    }
}
