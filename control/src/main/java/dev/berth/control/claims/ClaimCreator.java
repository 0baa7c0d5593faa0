package dev.berth.control.claims;

import dev.berth.client.RequestResult;
import dev.berth.client.event.EventRecorder;
import dev.berth.core.admission.gate.FeatureGates;
import dev.berth.core.lifecycle.ClaimCommand;
import dev.berth.core.lifecycle.ClaimCreation;
import dev.berth.core.lifecycle.ClaimOwner;
import dev.berth.core.lifecycle.ClaimRelease;
import dev.berth.core.lifecycle.PodClaimPhase;
import dev.berth.model.api.claim.ResourceClaim;
import dev.berth.model.api.claim.ResourceClaimTemplate;
import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.api.pod.Pod;
import dev.berth.model.api.pod.PodClaimReferences;
import dev.berth.model.api.pod.PodGroup;
import dev.berth.model.api.pod.PodResourceClaim;
import dev.berth.model.codec.Kinds;
import dev.berth.model.event.Event;
import dev.berth.model.event.EventSource;
import dev.berth.model.event.InvolvedObject;
import dev.berth.model.workqueue.WorkResult;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// Creates the claims of pods and pod groups from templates, and records their names in the owner's
/// status.
final class ClaimCreator {

    private static final EventSource SOURCE = EventSource.controller("resource_claim");

    private final ClaimView view;
    private final ClaimRequests requests;
    private final EventRecorder events;
    private final RecentlyCreatedClaims recent;
    private final ClaimCreation creation;

    ClaimCreator(
            ClaimView view,
            ClaimRequests requests,
            EventRecorder events,
            RecentlyCreatedClaims recent,
            FeatureGates gates) {
        this.view = view;
        this.requests = requests;
        this.events = events;
        this.recent = recent;
        this.creation = new ClaimCreation(gates);
    }

    WorkResult create(Pod pod, Instant now) {
        if (pod.metadata().isDeleting() || PodClaimPhase.isTerminated(pod)) {
            return WorkResult.DONE;
        }
        var known = view.groupOf(pod).flatMap(view::group);
        if (known.isEmpty() && view.groupOf(pod).isPresent()) {
            // The group is not cached yet, so its claims are unknown; the pod is queued again when
            // it arrives.
            return WorkResult.DONE;
        }
        var group =
                known.map(one -> ClaimCreation.GroupClaims.of(ClaimOwner.of(one)))
                        .orElse(ClaimCreation.GroupClaims.NONE);
        var subject = InvolvedObject.of(pod);
        var result = create(ClaimOwner.of(pod), group, subject, now);
        return result instanceof WorkResult.Done ? reserve(pod) : result;
    }

    WorkResult create(PodGroup group, Instant now) {
        if (group.metadata().isDeleting()) {
            return WorkResult.DONE;
        }
        var owner = ClaimOwner.of(group);
        var reference = owner.reference();
        var subject = InvolvedObject.of(reference.apiVersion(), reference.kind(), group.metadata());
        return create(owner, ClaimCreation.GroupClaims.NONE, subject, now);
    }

    private WorkResult create(
            ClaimOwner owner,
            ClaimCreation.GroupClaims group,
            InvolvedObject subject,
            Instant now) {
        var claims = new HashMap<ObjectRef, ResourceClaim>();
        var failure = findNamed(owner, claims, now);
        if (failure.isPresent()) {
            return failure.get();
        }
        var owned = new ArrayList<>(view.claimsByOwner.find(owner.uid()));
        owned.addAll(recent.of(owner, now));
        var inputs = new ClaimCreation.Inputs(claims, owned, templates(owner), group);
        var names = new HashMap<String, String>();
        var problem = Optional.<String>empty();
        for (var step : creation.steps(owner, inputs)) {
            var error = execute(owner, step, names, now);
            error.ifPresent(message -> recordFailure(subject, step.entry(), message));
            problem = error.isPresent() ? error : problem;
        }
        if (!names.isEmpty()) {
            var result = requests.record(owner, ClaimCreation.statuses(owner, names));
            if (!(result.asWorkResult() instanceof WorkResult.Done)) {
                return result.asWorkResult();
            }
        }
        return problem.<WorkResult>map(WorkResult.Retry::new).orElse(WorkResult.DONE);
    }

    /// Looks up the claims that the owner's status names, first in the cache, then on the server.
    private Optional<WorkResult> findNamed(
            ClaimOwner owner, Map<ObjectRef, ResourceClaim> claims, Instant now) {
        for (var created : recent.of(owner, now)) {
            claims.put(created.ref(), created);
        }
        for (var status : owner.statuses()) {
            var name = status.resourceClaimName();
            if (name.isEmpty() || claims.containsKey(owner.claimRef(name.get()))) {
                continue;
            }
            var ref = owner.claimRef(name.get());
            var cached = view.claims.find(ref);
            if (cached.isPresent()) {
                claims.put(ref, cached.get());
                continue;
            }
            switch (requests.get(Kinds.RESOURCE_CLAIM, ref)) {
                case RequestResult.Done(var tree) ->
                        requests.read(Kinds.RESOURCE_CLAIM, tree)
                                .ifPresent(claim -> claims.put(ref, claim));
                case RequestResult.Missing _ -> {}
                case RequestResult other -> {
                    return Optional.of(new WorkResult.Retry(other.message()));
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

    /// Creates or adopts the claim of an entry; returns the error if that failed.
    private Optional<String> execute(
            ClaimOwner owner, ClaimCreation.Step step, Map<String, String> names, Instant now) {
        switch (step) {
            case ClaimCreation.Step.Adopt(var entry, var claim) -> names.put(entry, claim);
            case ClaimCreation.Step.Fail(_, var message) -> {
                return Optional.of(message);
            }
            case ClaimCreation.Step.Create(var entry, var claim) -> {
                var result = requests.create(claim);
                if (!(result instanceof RequestResult.Done(var tree))) {
                    return Optional.of(
                            "create ResourceClaim: "
                                    + ClaimCreation.withoutGeneratedName(claim, result.message()));
                }
                var created = requests.read(Kinds.RESOURCE_CLAIM, tree).orElseThrow();
                recent.add(owner, created, now);
                if (view.claims.find(created.ref()).isPresent()) {
                    recent.remove(created);
                }
                names.put(entry, created.metadata().name());
            }
        }
        return Optional.empty();
    }

    private void recordFailure(InvolvedObject subject, String entry, String message) {
        events.record(
                Event.warning(
                        SOURCE,
                        subject,
                        "FailedResourceClaimCreation",
                        "PodResourceClaim " + entry + ": " + message));
    }

    /// Reserves allocated claims for a pod that was bound without the scheduler.
    private WorkResult reserve(Pod pod) {
        for (var entry : pod.spec().resourceClaims()) {
            var command = reservation(pod, entry);
            if (command.isPresent()) {
                var result = requests.send(command.get()).asWorkResult();
                if (!(result instanceof WorkResult.Done)) {
                    return result;
                }
            }
        }
        return WorkResult.DONE;
    }

    private Optional<ClaimCommand> reservation(Pod pod, PodResourceClaim entry) {
        return PodClaimReferences.resolve(pod, entry)
                        instanceof PodClaimReferences.Resolution.Named(var ref, var isGenerated)
                ? view.claims
                        .find(ref)
                        .flatMap(claim -> ClaimRelease.reservation(pod, claim, isGenerated))
                : Optional.empty();
    }
}
