package dev.berth.control.schedule;

import dev.berth.client.RequestResult;
import dev.berth.model.api.AllocationResult;
import dev.berth.model.api.ObjectRef;
import dev.berth.model.api.ResourceClaim;
import dev.berth.model.api.Uid;
import dev.berth.model.json.JsonObject;
import dev.berth.model.text.FailureText;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Performs the writes of bindings. Each call may block.
record BindingWriter(ClaimWriter claims, PodWriter pods, VolumeWriter volumes) {

    private static final int MAX_TRIES = 5;

    /// Result of writing claims, possibly partial.
    record WriteResult(
            List<ClaimWriter.Task> tasks,
            List<ClaimWriter.Result.Written> done,
            Optional<ResourceClaim> extendedClaim,
            Optional<String> failure) {

        private WriteResult plus(ClaimWriter.Result result) {
            return switch (result) {
                case ClaimWriter.Result.Written written -> {
                    var more = new ArrayList<>(done);
                    more.add(written);
                    yield new WriteResult(tasks, more, extendedClaim, failure);
                }
                case ClaimWriter.Result.Failed(var message) -> failed(message);
            };
        }

        private WriteResult failed(String message) {
            return new WriteResult(tasks, done, extendedClaim, Optional.of(message));
        }

        private WriteResult withExtendedClaim(ResourceClaim claim) {
            return new WriteResult(tasks, done, Optional.of(claim), failure);
        }
    }

    /// Writes the claims sequentially.
    ///
    /// @param extended the allocation of the claim for extended resources, which is created here
    WriteResult write(
            PodBinding binding, List<ClaimWriter.Task> tasks, Optional<AllocationResult> extended) {
        var result = new WriteResult(tasks, List.of(), Optional.empty(), Optional.empty());
        try {
            for (var task : tasks) {
                result = result.failure.isEmpty() ? result.plus(claims.write(task)) : result;
            }
            if (result.failure.isPresent() || extended.isEmpty()) {
                return result;
            }
            switch (claims.createExtendedClaim(
                    binding.pod, binding.placed.request().toAllocate().getLast())) {
                case RequestResult.Done(var object) -> {
                    var extendedClaim = read(object);
                    result = result.withExtendedClaim(extendedClaim);
                    var user = binding.consumer(extendedClaim.ref());
                    var task = new ClaimWriter.Task(extendedClaim, extended, user);
                    return result.plus(claims.write(task));
                }
                case RequestResult other -> {
                    return result.failed(other.message());
                }
            }
        } catch (RuntimeException | Error e) {
            // Any error must be returned as a result: the pipeline waits for it.
            return result.failed("writing claims failed: " + FailureText.of(e));
        }
    }

    ResourceClaim read(JsonObject claim) {
        return claims.read(claim);
    }

    /// Binds the pod to its node.
    RequestResult bind(PodBinding binding) {
        try {
            if (binding.extendedClaim.isPresent() && binding.placed.extended().isPresent()) {
                var name = binding.extendedClaim.get().metadata().name();
                var written =
                        pods.writeExtendedClaimStatus(
                                binding.pod, name, binding.placed.extended().get());
                if (!written.isDone()) {
                    return written;
                }
            }
            if (!binding.nodeResources().isEmpty()) {
                var written = pods.writeNodeAllocatableStatus(binding.pod, binding.nodeResources());
                if (!written.isDone()) {
                    return written;
                }
            }
            return bindWithRetry(binding);
        } catch (RuntimeException | Error e) {
            return new RequestResult.Unavailable("binding the pod failed: " + FailureText.of(e));
        }
    }

    /// A lost response does not mean that the bind failed, so the pod is read before a retry.
    private RequestResult bindWithRetry(PodBinding binding) {
        var outcome = pods.bind(binding.pod, binding.node());
        for (var tries = 1; tries < MAX_TRIES && !outcome.isDone(); tries++) {
            switch (pods.assignment(binding.pod)) {
                case PodWriter.Assignment.OnNode(var node) -> {
                    return node.equals(binding.node())
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
                    outcome = pods.bind(binding.pod, binding.node());
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
    ///
    /// @param toDeallocate claims whose devices belong to other claims
    /// @param reserved the claims known to be reserved for the pod
    void rollBack(
            PodBinding binding,
            Set<ObjectRef> toDeallocate,
            Map<ObjectRef, ResourceClaim> reserved) {
        var isUnbound =
                switch (pods.assignment(binding.pod)) {
                    case PodWriter.Assignment.OnNode _ -> false;
                    case PodWriter.Assignment.Unassigned _ -> true;
                    case PodWriter.Assignment.Deleted _, PodWriter.Assignment.Unknown _ ->
                            !toDeallocate.isEmpty();
                };
        if (!isUnbound) {
            return;
        }
        for (var written : binding.written) {
            reserved.remove(written.ref());
            if (binding.extendedClaim.filter(m -> m.ref().equals(written.ref())).isPresent()) {
                continue;
            }
            if (toDeallocate.contains(written.ref())) {
                claims.deallocateWritten(written);
            } else {
                unreserve(binding, written.ref(), written.uid());
            }
        }
        reserved.forEach((ref, claim) -> unreserve(binding, ref, claim.metadata().uid()));
        binding.extendedClaim.ifPresent(claims::delete);
        if (!binding.nodeResources().isEmpty()) {
            pods.writeNodeAllocatableStatus(binding.pod, List.of());
        }
    }

    /// A reservation for a group stays, because its other pods use it too.
    private void unreserve(PodBinding binding, ObjectRef claim, Uid uid) {
        if (!binding.consumer(claim).isPodGroup()) {
            claims.unreserve(claim, uid, binding.consumer(claim));
        }
    }
}
