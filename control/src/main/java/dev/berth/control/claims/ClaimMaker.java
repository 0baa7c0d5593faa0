package dev.berth.control.claims;

import dev.berth.client.Outcome;
import dev.berth.control.loop.Events;
import dev.berth.control.loop.Verdict;
import dev.berth.core.admission.FeatureGates;
import dev.berth.core.lifecycle.ClaimMaking;
import dev.berth.core.lifecycle.ClaimOwner;
import dev.berth.core.lifecycle.ClaimRelease;
import dev.berth.core.lifecycle.PodStages;
import dev.berth.model.api.ObjectRef;
import dev.berth.model.api.Pod;
import dev.berth.model.api.PodClaimSource;
import dev.berth.model.api.PodGroup;
import dev.berth.model.api.PodResourceClaimStatus;
import dev.berth.model.api.ResourceClaim;
import dev.berth.model.api.ResourceClaimTemplate;
import dev.berth.model.codec.Kinds;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// Makes the claims of pods and of groups of pods, and writes down which they are.
final class ClaimMaker {

    static final String COMPONENT = "resource_claim";

    private final ClaimView view;
    private final ClaimCluster cluster;
    private final Events events;
    private final RecentClaims recent;
    private final ClaimMaking making;

    ClaimMaker(
            ClaimView view,
            ClaimCluster cluster,
            Events events,
            RecentClaims recent,
            FeatureGates gates) {
        this.view = view;
        this.cluster = cluster;
        this.events = events;
        this.recent = recent;
        this.making = new ClaimMaking(gates);
    }

    Verdict make(Pod pod, Instant now) {
        if (pod.metadata().isDeleting() || PodStages.isOver(pod)) {
            return Verdict.DONE;
        }
        var known = view.groupOf(pod).flatMap(view::group);
        if (known.isEmpty() && view.groupOf(pod).isPresent()) {
            // Which claims are the group's is not known yet; the pod is looked at again then.
            return Verdict.DONE;
        }
        var group =
                known.map(one -> ClaimMaking.GroupClaims.of(ClaimOwner.of(one)))
                        .orElse(ClaimMaking.GroupClaims.NONE);
        var subject = Events.Subject.pod(pod);
        var verdict = make(ClaimOwner.of(pod), group, subject, now);
        return verdict instanceof Verdict.Done ? reserve(pod) : verdict;
    }

    Verdict make(PodGroup group, Instant now) {
        if (group.metadata().isDeleting()) {
            return Verdict.DONE;
        }
        var owner = ClaimOwner.of(group);
        var reference = owner.reference();
        var subject =
                new Events.Subject(
                        reference.apiVersion(),
                        reference.kind(),
                        owner.ref().namespace(),
                        owner.ref().name(),
                        owner.uid().value());
        return make(owner, ClaimMaking.GroupClaims.NONE, subject, now);
    }

    private Verdict make(
            ClaimOwner owner, ClaimMaking.GroupClaims group, Events.Subject subject, Instant now) {
        var claims = new HashMap<ObjectRef, ResourceClaim>();
        var trouble = findNamed(owner, claims, now);
        if (trouble.isPresent()) {
            return trouble.get();
        }
        var owned = new ArrayList<>(view.claimsByOwner.find(owner.uid()));
        owned.addAll(recent.of(owner, now));
        var known = new ClaimMaking.Known(claims, owned, templates(owner), group);
        var names = new HashMap<String, String>();
        var problem = Optional.<String>empty();
        for (var step : making.steps(owner, known)) {
            var failed = carryOut(owner, step, names, now);
            failed.ifPresent(message -> tell(subject, step.entry(), message));
            problem = failed.isPresent() ? failed : problem;
        }
        if (!names.isEmpty()) {
            var outcome = cluster.record(owner, ClaimMaking.statuses(owner, names));
            if (!(Verdict.of(outcome) instanceof Verdict.Done)) {
                return Verdict.of(outcome);
            }
        }
        return problem.<Verdict>map(Verdict.Retry::new).orElse(Verdict.DONE);
    }

    /// Looks up the claims that the owner's status names; those not heard of are asked for.
    private Optional<Verdict> findNamed(
            ClaimOwner owner, Map<ObjectRef, ResourceClaim> claims, Instant now) {
        for (var made : recent.of(owner, now)) {
            claims.put(made.ref(), made);
        }
        for (var status : owner.statuses()) {
            var name = status.resourceClaimName();
            if (name.isEmpty() || claims.containsKey(owner.beside(name.get()))) {
                continue;
            }
            var ref = owner.beside(name.get());
            var heard = view.claims.find(ref);
            if (heard.isPresent()) {
                claims.put(ref, heard.get());
                continue;
            }
            switch (cluster.get(Kinds.RESOURCE_CLAIM, ref)) {
                case Outcome.Done(var tree) ->
                        cluster.read(Kinds.RESOURCE_CLAIM, tree)
                                .ifPresent(claim -> claims.put(ref, claim));
                case Outcome.Missing _ -> {}
                case Outcome other -> {
                    return Optional.of(new Verdict.Retry(other.message()));
                }
            }
        }
        return Optional.empty();
    }

    private Map<String, ResourceClaimTemplate> templates(ClaimOwner owner) {
        var templates = new HashMap<String, ResourceClaimTemplate>();
        for (var ref : ClaimView.templates(owner)) {
            view.templates.find(ref).ifPresent(one -> templates.put(ref.name(), one));
        }
        return templates;
    }

    /// Notes the claim of an entry, or returns what went wrong.
    private Optional<String> carryOut(
            ClaimOwner owner, ClaimMaking.Step step, Map<String, String> names, Instant now) {
        switch (step) {
            case ClaimMaking.Step.Adopt(var entry, var claim) -> names.put(entry, claim);
            case ClaimMaking.Step.Refuse(_, var message) -> {
                return Optional.of(message);
            }
            case ClaimMaking.Step.Make(var entry, var claim) -> {
                var outcome = cluster.create(claim);
                if (!(outcome instanceof Outcome.Done(var tree))) {
                    return Optional.of("create ResourceClaim: " + outcome.message());
                }
                var made = cluster.read(Kinds.RESOURCE_CLAIM, tree).orElseThrow();
                recent.add(owner, made, now);
                if (view.claims.find(made.ref()).isPresent()) {
                    recent.forget(made);
                }
                names.put(entry, made.metadata().name());
            }
        }
        return Optional.empty();
    }

    private void tell(Events.Subject subject, String entry, String message) {
        events.tell(
                COMPONENT,
                subject,
                Events.Sort.WARNING,
                "FailedResourceClaimCreation",
                "PodResourceClaim " + entry + ": " + message);
    }

    /// Reserves what has devices already for a pod that is on a node without its scheduler's help.
    private Verdict reserve(Pod pod) {
        for (var entry : pod.spec().resourceClaims()) {
            var isMade = entry.source() instanceof PodClaimSource.TemplateName;
            var name =
                    entry.source() instanceof PodClaimSource.ClaimName(var said)
                            ? Optional.of(said)
                            : ClaimOwner.of(pod)
                                    .status(entry.name())
                                    .flatMap(PodResourceClaimStatus::resourceClaimName);
            var command =
                    name.map(ClaimOwner.of(pod)::beside)
                            .flatMap(view.claims::find)
                            .flatMap(claim -> ClaimRelease.reservation(pod, claim, isMade));
            if (command.isPresent()) {
                var verdict = Verdict.of(cluster.send(command.get()));
                if (!(verdict instanceof Verdict.Done)) {
                    return verdict;
                }
            }
        }
        return Verdict.DONE;
    }
}
