package dev.berth.control.schedule;

import dev.berth.client.RequestResult;
import dev.berth.core.place.VolumeBindingTask;
import dev.berth.core.schedule.BindingCommand;
import dev.berth.core.schedule.BindingEvent;
import dev.berth.core.schedule.BindingWrites;
import dev.berth.model.api.claim.ResourceClaim;
import dev.berth.model.api.pod.Pod;
import dev.berth.model.json.JsonObject;
import dev.berth.model.text.FailureText;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Performs the writes of bindings. Each call may block. Any error is returned as an event, because
/// the pipeline waits for it.
record BindingWriter(ClaimWriter claims, PodWriter pods, VolumeWriter volumes) {

    private static final int MAX_TRIES = 5;

    /// Writes claims sequentially, up to the first that fails.
    BindingEvent write(List<BindingCommand.ClaimTask> tasks) {
        var done = new ArrayList<BindingWrites.Write>();
        try {
            for (var task : tasks) {
                switch (claims.write(task)) {
                    case ClaimWriter.Result.Done(var write) -> done.add(write);
                    case ClaimWriter.Result.Failed(var message) -> {
                        return new BindingEvent.ClaimWriteFailed(done, Optional.empty(), message);
                    }
                }
            }
            return new BindingEvent.ClaimsWritten(done);
        } catch (RuntimeException | Error e) {
            return new BindingEvent.ClaimWriteFailed(done, Optional.empty(), text(e));
        }
    }

    private static String text(Throwable e) {
        return "writing claims failed: " + FailureText.of(e);
    }

    /// Creates the claim for extended resources, then writes its allocation.
    BindingEvent create(Pod pod, BindingCommand.CreateExtendedClaim command) {
        var created = Optional.<ResourceClaim>empty();
        try {
            var outcome = claims.createExtendedClaim(pod, command.template());
            if (!(outcome instanceof RequestResult.Done(var object))) {
                return new BindingEvent.ClaimWriteFailed(List.of(), created, outcome.message());
            }
            var claim = read(object);
            created = Optional.of(claim);
            var task =
                    new BindingCommand.ClaimTask(
                            claim, Optional.of(command.allocation()), command.user());
            return switch (claims.write(task)) {
                case ClaimWriter.Result.Done(var write) ->
                        new BindingEvent.ExtendedClaimWritten(claim, write);
                case ClaimWriter.Result.Failed(var message) ->
                        new BindingEvent.ClaimWriteFailed(List.of(), created, message);
            };
        } catch (RuntimeException | Error e) {
            return new BindingEvent.ClaimWriteFailed(List.of(), created, text(e));
        }
    }

    ResourceClaim read(JsonObject claim) {
        return claims.read(claim);
    }

    BindingEvent writeVolumes(List<VolumeBindingTask> tasks) {
        return switch (volumes.write(tasks)) {
            case VolumeWriter.Result.Written(var versions) ->
                    new BindingEvent.VolumesWritten(versions);
            case VolumeWriter.Result.Failed(var message) ->
                    new BindingEvent.VolumeWriteFailed(message);
        };
    }

    /// Writes the pod's status of its devices, then binds it to its node.
    BindingEvent bind(Pod pod, BindingCommand.BindPod command) {
        try {
            var outcome = writeStatus(pod, command);
            outcome = outcome.isDone() ? bindWithRetry(pod, command.node()) : outcome;
            return outcome.isDone()
                    ? new BindingEvent.PodBound()
                    : new BindingEvent.BindFailed(outcome.message());
        } catch (RuntimeException | Error e) {
            return new BindingEvent.BindFailed("binding the pod failed: " + FailureText.of(e));
        }
    }

    private RequestResult writeStatus(Pod pod, BindingCommand.BindPod command) {
        RequestResult outcome = new RequestResult.Done(JsonObject.EMPTY);
        if (command.extendedClaim().isPresent()) {
            outcome = pods.writeExtendedClaimStatus(pod, command.extendedClaim().get());
        }
        return outcome.isDone() && !command.nodeResources().isEmpty()
                ? pods.writeNodeAllocatableStatus(pod, command.nodeResources())
                : outcome;
    }

    /// A lost response does not mean that the bind failed, so the pod is read before a retry.
    private RequestResult bindWithRetry(Pod pod, String target) {
        var outcome = pods.bind(pod, target);
        for (var tries = 1; tries < MAX_TRIES && !outcome.isDone(); tries++) {
            switch (pods.assignment(pod)) {
                case PodWriter.Assignment.OnNode(var node) -> {
                    return node.equals(target)
                            ? new RequestResult.Done(JsonObject.EMPTY)
                            : new RequestResult.Conflict("the pod is bound to node " + node);
                }
                case PodWriter.Assignment.Deleted _ -> {
                    return new RequestResult.Missing("the pod was deleted");
                }
                case PodWriter.Assignment.Unassigned _ -> {
                    if (!(outcome instanceof RequestResult.Unavailable)) {
                        return outcome;
                    }
                    outcome = pods.bind(pod, target);
                }
                case PodWriter.Assignment.Unknown _ -> {}
            }
        }
        return outcome;
    }

    /// Undoes the writes, unless the pod has a node: a response was lost, or another scheduler was
    /// faster and uses the allocations. If the state of the pod is unknown, the writes stay for the
    /// next attempt. If the pod was deleted, the resource claim controller removes its reservation
    /// and, with the last one, the allocation, which would stay if the reservation were removed
    /// here.
    void rollBack(Pod pod, BindingCommand.RollBack command) {
        var isUnbound =
                switch (pods.assignment(pod)) {
                    case PodWriter.Assignment.OnNode _ -> false;
                    case PodWriter.Assignment.Unassigned _ -> true;
                    case PodWriter.Assignment.Deleted _, PodWriter.Assignment.Unknown _ ->
                            command.isUnconditional();
                };
        if (!isUnbound) {
            return;
        }
        for (var undo : command.claims()) {
            switch (undo) {
                case BindingCommand.ClaimUndo.Deallocate(var write) ->
                        claims.deallocateWritten(write);
                case BindingCommand.ClaimUndo.Unreserve(var claim, var uid, var user) ->
                        claims.unreserve(claim, uid, user);
            }
        }
        command.created().ifPresent(claims::delete);
        if (command.hasNodeResources()) {
            pods.writeNodeAllocatableStatus(pod, List.of());
        }
    }
}
