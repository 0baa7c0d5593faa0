package dev.berth.control.claims;

import dev.berth.client.RequestResult;
import dev.berth.control.loop.ReconcileResult;
import dev.berth.core.lifecycle.ClaimCommand;
import dev.berth.core.lifecycle.ClaimRelease;
import dev.berth.core.lifecycle.PodClaimPhase;
import dev.berth.model.api.ConsumerReference;
import dev.berth.model.api.KubernetesObject;
import dev.berth.model.api.ObjectRef;
import dev.berth.model.api.Pod;
import dev.berth.model.api.ResourceClaim;
import dev.berth.model.api.Uid;
import dev.berth.model.codec.Kind;
import dev.berth.model.codec.Kinds;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;

/// Gives back and deletes claims that nobody uses any more.
final class ClaimReleaser {

    private static final int MOST_REMEMBERED = 500;

    /// A claim is through after this many writes: released, unprotected, deleted, and again.
    private static final int MOST_STEPS = 6;

    private final ClaimView view;
    private final ClaimRequests cluster;
    // The last who went, lest the server is asked for them. Guarded by itself.
    private final Set<Uid> gone = new LinkedHashSet<>();

    ClaimReleaser(ClaimView view, ClaimRequests cluster) {
        this.view = view;
        this.cluster = cluster;
    }

    void isGone(Uid uid) {
        synchronized (gone) {
            gone.add(uid);
            if (gone.size() > MOST_REMEMBERED) {
                gone.remove(gone.iterator().next());
            }
        }
    }

    ReconcileResult release(ResourceClaim first) {
        var claim = first;
        var released = false;
        for (var i = 0; i < MOST_STEPS; i++) {
            var users = new HashSet<ConsumerReference>();
            for (var user : claim.status().reservedFor()) {
                switch (fate(user, claim.metadata().namespace())) {
                    case GONE -> users.add(user);
                    case UNKNOWN -> {
                        return new ReconcileResult.Retry("no word of " + user);
                    }
                    case THERE -> {}
                }
            }
            var after =
                    released ? ClaimRelease.afterRelease(claim) : Optional.<ClaimCommand>empty();
            var current = claim;
            var command =
                    after.or(() -> ClaimRelease.next(current, users::contains, owner(current)));
            if (command.isEmpty()) {
                return ReconcileResult.DONE;
            }
            var outcome = cluster.send(command.get());
            if (!(outcome instanceof RequestResult.Done(var tree))) {
                return ReconcileResult.of(outcome);
            }
            released |= command.get() instanceof ClaimCommand.WriteStatus;
            var next = cluster.read(Kinds.RESOURCE_CLAIM, tree);
            if (next.isEmpty() || !next.get().metadata().uid().equals(claim.metadata().uid())) {
                return ReconcileResult.DONE;
            }
            claim = next.get();
        }
        return new ReconcileResult.Retry("more to do");
    }

    private enum Fate {
        THERE,
        GONE,
        UNKNOWN
    }

    private Fate fate(ConsumerReference user, String namespace) {
        var ref = new ObjectRef(namespace, user.name());
        if (user.apiGroup().isEmpty() && user.resource().equals("pods")) {
            // A pod of another identity may be the one before it, when pods are heard of later
            // than claims.
            var heard = view.pods.find(ref).filter(pod -> pod.metadata().uid().equals(user.uid()));
            return heard.isPresent() ? fate(heard.get()) : ask(Kinds.POD, ref, user);
        }
        if (view.groups.isPresent()
                && user.apiGroup().equals(Kinds.POD_GROUP.group())
                && user.resource().equals(Kinds.POD_GROUP.plural())) {
            var heard = view.group(ref);
            return heard.isPresent()
                    ? sameAs(heard.get().metadata().uid(), user.uid())
                    : ask(Kinds.POD_GROUP, ref, user);
        }
        return Fate.THERE;
    }

    private static Fate fate(Pod pod) {
        return PodClaimPhase.isDone(pod) ? Fate.GONE : Fate.THERE;
    }

    private static Fate sameAs(Uid uid, Uid expected) {
        return uid.equals(expected) ? Fate.THERE : Fate.GONE;
    }

    private <T extends KubernetesObject> Fate ask(
            Kind<T> kind, ObjectRef ref, ConsumerReference user) {
        synchronized (gone) {
            if (gone.contains(user.uid())) {
                return Fate.GONE;
            }
        }
        return switch (cluster.get(kind, ref)) {
            case RequestResult.Done(var tree) ->
                    sameAs(new Uid(tree.objectOrEmpty("metadata").text("uid")), user.uid());
            case RequestResult.Missing _ -> Fate.GONE;
            case RequestResult _ -> Fate.UNKNOWN;
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
