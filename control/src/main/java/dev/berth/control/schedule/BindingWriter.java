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

/// Makes the writes of attempts, each call on a thread that may wait.
record BindingWriter(ClaimWriter claims, PodWriter pods, VolumeWriter volumes) {

    private static final int MAX_TRIES = 5;

    /// What came of writing claims, as far as it went.
    record Performed(
            List<ClaimWriter.Task> tasks,
            List<ClaimWriter.Result.Written> done,
            Optional<ResourceClaim> made,
            Optional<String> failure) {

        private Performed and(ClaimWriter.Result result) {
            return switch (result) {
                case ClaimWriter.Result.Written written -> {
                    var more = new ArrayList<>(done);
                    more.add(written);
                    yield new Performed(tasks, more, made, failure);
                }
                case ClaimWriter.Result.Failed(var message) -> failed(message);
            };
        }

        private Performed failed(String message) {
            return new Performed(tasks, done, made, Optional.of(message));
        }

        private Performed making(ResourceClaim claim) {
            return new Performed(tasks, done, Optional.of(claim), failure);
        }
    }

    /// Writes claims one after the other.
    ///
    /// @param extended what the claim gets that is still to be made
    Performed perform(
            PodBinding attempt, List<ClaimWriter.Task> tasks, Optional<AllocationResult> extended) {
        var result = new Performed(tasks, List.of(), Optional.empty(), Optional.empty());
        try {
            for (var task : tasks) {
                result = result.failure.isEmpty() ? result.and(claims.write(task)) : result;
            }
            if (result.failure.isPresent() || extended.isEmpty()) {
                return result;
            }
            switch (claims.make(attempt.pod, attempt.placed.question().wanted().getLast())) {
                case RequestResult.Done(var object) -> {
                    var made = read(object);
                    result = result.making(made);
                    var user = attempt.user(made.ref());
                    var task = new ClaimWriter.Task(made, extended, user);
                    return result.and(claims.write(task));
                }
                case RequestResult other -> {
                    return result.failed(other.message());
                }
            }
        } catch (RuntimeException | Error e) {
            // Whatever broke, somebody waits for the claims to be done with.
            return result.failed("claims could not be written: " + FailureText.of(e));
        }
    }

    ResourceClaim read(JsonObject claim) {
        return claims.read(claim);
    }

    /// Binds the pod to its node.
    RequestResult bind(PodBinding attempt) {
        try {
            if (attempt.made.isPresent() && attempt.placed.extended().isPresent()) {
                var name = attempt.made.get().metadata().name();
                var told = pods.tellExtended(attempt.pod, name, attempt.placed.extended().get());
                if (!told.isDone()) {
                    return told;
                }
            }
            if (!attempt.taken().isEmpty()) {
                var told = pods.tellTaken(attempt.pod, attempt.taken());
                if (!told.isDone()) {
                    return told;
                }
            }
            return bindSurely(attempt);
        } catch (RuntimeException | Error e) {
            return new RequestResult.Unavailable(
                    "the pod could not be bound: " + FailureText.of(e));
        }
    }

    /// No answer does not mean that nothing was done, so the pod itself is asked.
    private RequestResult bindSurely(PodBinding attempt) {
        var outcome = pods.bind(attempt.pod, attempt.node());
        for (var tries = 1; tries < MAX_TRIES && !outcome.isDone(); tries++) {
            switch (pods.whereabouts(attempt.pod)) {
                case PodWriter.Whereabouts.OnNode(var node) -> {
                    return node.equals(attempt.node())
                            ? new RequestResult.Done(JsonObject.EMPTY)
                            : new RequestResult.Conflict("the pod is on node " + node);
                }
                case PodWriter.Whereabouts.Gone _ -> {
                    return new RequestResult.Missing("the pod is gone");
                }
                case PodWriter.Whereabouts.Waiting _ -> {
                    if (!(outcome instanceof RequestResult.Unavailable)) {
                        return outcome;
                    }
                    outcome = pods.bind(attempt.pod, attempt.node());
                }
                case PodWriter.Whereabouts.Unknown _ -> {}
            }
        }
        return outcome;
    }

    /// Takes back what was written, unless the pod is on a node after all: an answer was lost, or
    /// another scheduler was faster and uses what we wrote. Whoever does not know leaves it: the
    /// next try goes on with it. When the pod is gone, whoever looks after claims takes its
    /// reservation, and with the last of them the devices, which would stay if we took it here.
    ///
    /// @param losing claims whose devices belong to others
    /// @param reserved all that are known to be reserved for the pod
    void takeBack(
            PodBinding attempt, Set<ObjectRef> losing, Map<ObjectRef, ResourceClaim> reserved) {
        var isFree =
                switch (pods.whereabouts(attempt.pod)) {
                    case PodWriter.Whereabouts.OnNode _ -> false;
                    case PodWriter.Whereabouts.Waiting _ -> true;
                    case PodWriter.Whereabouts.Gone _, PodWriter.Whereabouts.Unknown _ ->
                            !losing.isEmpty();
                };
        if (!isFree) {
            return;
        }
        for (var written : attempt.written) {
            reserved.remove(written.ref());
            if (attempt.made.filter(m -> m.ref().equals(written.ref())).isPresent()) {
                continue;
            }
            if (losing.contains(written.ref())) {
                claims.giveBack(written);
            } else {
                unreserve(attempt, written.ref(), written.uid());
            }
        }
        reserved.forEach((ref, claim) -> unreserve(attempt, ref, claim.metadata().uid()));
        attempt.made.ifPresent(claims::delete);
        if (!attempt.taken().isEmpty()) {
            pods.tellTaken(attempt.pod, List.of());
        }
    }

    /// What is reserved for a group is so for its other pods too.
    private void unreserve(PodBinding attempt, ObjectRef claim, Uid uid) {
        if (!attempt.user(claim).isPodGroup()) {
            claims.unreserve(claim, uid, attempt.user(claim));
        }
    }
}
