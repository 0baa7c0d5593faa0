package dev.berth.control.claims;

import dev.berth.client.RequestResult;
import dev.berth.control.loop.EventRecorder;
import dev.berth.control.loop.ReconcileResult;
import dev.berth.core.admission.FeatureGates;
import dev.berth.core.lifecycle.ClaimCreation;
import dev.berth.core.lifecycle.ClaimOwner;
import dev.berth.core.lifecycle.ClaimRelease;
import dev.berth.core.lifecycle.PodClaimPhase;
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
final class ClaimCreator {

    static final String COMPONENT = "resource_claim";

    private final ClaimView view;
    private final ClaimRequests cluster;
    private final EventRecorder events;
    private final RecentlyCreatedClaims recent;
    private final ClaimCreation making;

    ClaimCreator(
            ClaimView view,
            ClaimRequests cluster,
            EventRecorder events,
            RecentlyCreatedClaims recent,
            FeatureGates gates) {
        this.view = view;
        this.cluster = cluster;
        this.events = events;
        this.recent = recent;
        this.making = new ClaimCreation(gates);
    }

    ReconcileResult make(Pod pod, Instant now) {
        if (pod.metadata().isDeleting() || PodClaimPhase.isOver(pod)) {
            return ReconcileResult.DONE;
        }
        var known = view.groupOf(pod).flatMap(view::group);
        if (known.isEmpty() && view.groupOf(pod).isPresent()) {
            // Which claims are the group's is not known yet; the pod is looked at again then.
            return ReconcileResult.DONE;
        }
        var group =
                known.map(one -> ClaimCreation.GroupClaims.of(ClaimOwner.of(one)))
                        .orElse(ClaimCreation.GroupClaims.NONE);
        var subject = EventRecorder.Subject.pod(pod);
        var verdict = make(ClaimOwner.of(pod), group, subject, now);
        return verdict instanceof ReconcileResult.Done ? reserve(pod) : verdict;
    }

    ReconcileResult make(PodGroup group, Instant now) {
        if (group.metadata().isDeleting()) {
            return ReconcileResult.DONE;
        }
        var owner = ClaimOwner.of(group);
        var reference = owner.reference();
        var subject =
                new EventRecorder.Subject(
                        reference.apiVersion(),
                        reference.kind(),
                        owner.ref().namespace(),
                        owner.ref().name(),
                        owner.uid().value());
        return make(owner, ClaimCreation.GroupClaims.NONE, subject, now);
    }

    private ReconcileResult make(
            ClaimOwner owner,
            ClaimCreation.GroupClaims group,
            EventRecorder.Subject subject,
            Instant now) {
        var claims = new HashMap<ObjectRef, ResourceClaim>();
        var trouble = findNamed(owner, claims, now);
        if (trouble.isPresent()) {
            return trouble.get();
        }
        var owned = new ArrayList<>(view.claimsByOwner.find(owner.uid()));
        owned.addAll(recent.of(owner, now));
        var known = new ClaimCreation.Known(claims, owned, templates(owner), group);
        var names = new HashMap<String, String>();
        var problem = Optional.<String>empty();
        for (var step : making.steps(owner, known)) {
            var failed = carryOut(owner, step, names, now);
            failed.ifPresent(message -> tell(subject, step.entry(), message));
            problem = failed.isPresent() ? failed : problem;
        }
        if (!names.isEmpty()) {
            var outcome = cluster.record(owner, ClaimCreation.statuses(owner, names));
            if (!(ReconcileResult.of(outcome) instanceof ReconcileResult.Done)) {
                return ReconcileResult.of(outcome);
            }
        }
        return problem.<ReconcileResult>map(ReconcileResult.Retry::new)
                .orElse(ReconcileResult.DONE);
    }

    /// Looks up the claims that the owner's status names; those not heard of are asked for.
    private Optional<ReconcileResult> findNamed(
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
                case RequestResult.Done(var tree) ->
                        cluster.read(Kinds.RESOURCE_CLAIM, tree)
                                .ifPresent(claim -> claims.put(ref, claim));
                case RequestResult.Missing _ -> {}
                case RequestResult other -> {
                    return Optional.of(new ReconcileResult.Retry(other.message()));
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
            ClaimOwner owner, ClaimCreation.Step step, Map<String, String> names, Instant now) {
        switch (step) {
            case ClaimCreation.Step.Adopt(var entry, var claim) -> names.put(entry, claim);
            case ClaimCreation.Step.Refuse(_, var message) -> {
                return Optional.of(message);
            }
            case ClaimCreation.Step.Make(var entry, var claim) -> {
                var outcome = cluster.create(claim);
                if (!(outcome instanceof RequestResult.Done(var tree))) {
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

    private void tell(EventRecorder.Subject subject, String entry, String message) {
        events.tell(
                COMPONENT,
                subject,
                EventRecorder.Sort.WARNING,
                "FailedResourceClaimCreation",
                "PodResourceClaim " + entry + ": " + message);
    }

    /// Reserves what has devices already for a pod that is on a node without its scheduler's help.
    private ReconcileResult reserve(Pod pod) {
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
                var verdict = ReconcileResult.of(cluster.send(command.get()));
                if (!(verdict instanceof ReconcileResult.Done)) {
                    return verdict;
                }
            }
        }
        return ReconcileResult.DONE;
    }
}
