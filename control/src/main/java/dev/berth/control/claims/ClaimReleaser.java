package dev.berth.control.claims;

import dev.berth.client.RequestResult;
import dev.berth.core.lifecycle.ClaimCommand;
import dev.berth.core.lifecycle.ClaimRelease;
import dev.berth.core.lifecycle.PodClaimPhase;
import dev.berth.model.api.claim.ConsumerReference;
import dev.berth.model.api.claim.ResourceClaim;
import dev.berth.model.api.meta.KubernetesObject;
import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.api.meta.Uid;
import dev.berth.model.api.pod.Pod;
import dev.berth.model.codec.Kind;
import dev.berth.model.codec.Kinds;
import dev.berth.model.workqueue.WorkResult;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;

/// Deallocates and deletes claims that are no longer in use.
final class ClaimReleaser {

    private static final int MAX_REMEMBERED = 500;

    /// Limit of writes for a claim: reservations removed, finalizer removed, deleted, and once
    /// more.
    private static final int MAX_STEPS = 6;

    private final ClaimView view;
    private final ClaimRequests cluster;
    // UIDs of the consumers deleted last, which saves requests to the server. Guarded by itself.
    private final Set<Uid> deleted = new LinkedHashSet<>();

    ClaimReleaser(ClaimView view, ClaimRequests cluster) {
        this.view = view;
        this.cluster = cluster;
    }

    void markDeleted(Uid uid) {
        synchronized (deleted) {
            deleted.add(uid);
            if (deleted.size() > MAX_REMEMBERED) {
                deleted.remove(deleted.iterator().next());
            }
        }
    }

    WorkResult release(ResourceClaim first) {
        var claim = first;
        var released = false;
        for (var i = 0; i < MAX_STEPS; i++) {
            var users = new HashSet<ConsumerReference>();
            for (var user : claim.status().reservedFor()) {
                switch (state(user, claim.metadata().namespace())) {
                    case GONE -> users.add(user);
                    case UNKNOWN -> {
                        return new WorkResult.Retry("cannot read consumer " + user);
                    }
                    case ACTIVE -> {}
                }
            }
            var after =
                    released ? ClaimRelease.afterRelease(claim) : Optional.<ClaimCommand>empty();
            var current = claim;
            var command =
                    after.or(() -> ClaimRelease.next(current, users::contains, owner(current)));
            if (command.isEmpty()) {
                return WorkResult.DONE;
            }
            var result = cluster.send(command.get());
            if (!(result instanceof RequestResult.Done(var tree))) {
                return result.asWorkResult();
            }
            released |= command.get() instanceof ClaimCommand.WriteStatus;
            var next = cluster.read(Kinds.RESOURCE_CLAIM, tree);
            if (next.isEmpty() || !next.get().metadata().uid().equals(claim.metadata().uid())) {
                return WorkResult.DONE;
            }
            claim = next.get();
        }
        return new WorkResult.Retry("more than %d writes needed".formatted(MAX_STEPS));
    }

    private enum ConsumerState {
        ACTIVE,
        GONE,
        UNKNOWN
    }

    private ConsumerState state(ConsumerReference user, String namespace) {
        var ref = new ObjectRef(namespace, user.name());
        if (user.apiGroup().isEmpty() && user.resource().equals("pods")) {
            // A cached pod with another UID may be the predecessor, when the pod watch is behind
            // the claim watch.
            var cached = view.pods.find(ref).filter(pod -> pod.metadata().uid().equals(user.uid()));
            return cached.isPresent() ? state(cached.get()) : fetchState(Kinds.POD, ref, user);
        }
        if (view.groups.isPresent()
                && user.apiGroup().equals(Kinds.POD_GROUP.group())
                && user.resource().equals(Kinds.POD_GROUP.plural())) {
            var cached = view.group(ref);
            return cached.isPresent()
                    ? stateByUid(cached.get().metadata().uid(), user.uid())
                    : fetchState(Kinds.POD_GROUP, ref, user);
        }
        return ConsumerState.ACTIVE;
    }

    private static ConsumerState state(Pod pod) {
        return PodClaimPhase.isDoneWithClaims(pod) ? ConsumerState.GONE : ConsumerState.ACTIVE;
    }

    private static ConsumerState stateByUid(Uid uid, Uid expected) {
        return uid.equals(expected) ? ConsumerState.ACTIVE : ConsumerState.GONE;
    }

    private <T extends KubernetesObject> ConsumerState fetchState(
            Kind<T> kind, ObjectRef ref, ConsumerReference user) {
        synchronized (deleted) {
            if (deleted.contains(user.uid())) {
                return ConsumerState.GONE;
            }
        }
        return switch (cluster.get(kind, ref)) {
            case RequestResult.Done(var tree) ->
                    stateByUid(new Uid(tree.objectOrEmpty("metadata").text("uid")), user.uid());
            case RequestResult.Missing _ -> ConsumerState.GONE;
            case RequestResult _ -> ConsumerState.UNKNOWN;
        };
    }

    private ClaimRelease.Owner owner(ResourceClaim claim) {
        return claim.metadata()
                .controller()
                .filter(reference -> reference.kind().equals("Pod"))
                .flatMap(reference ->
                        view.pods.find(
                                new ObjectRef(claim.metadata().namespace(), reference.name())))
                .<ClaimRelease.Owner>map(ClaimRelease.Owner.Known::new)
                .orElse(new ClaimRelease.Owner.Unknown());
    }
}
