package dev.berth.control.claims;

import dev.berth.client.Cluster;
import dev.berth.client.cache.ObjectCache.Listener;
import dev.berth.client.event.EventRecorder;
import dev.berth.control.loop.ClaimCreateMetrics;
import dev.berth.control.loop.KeyedControlLoop;
import dev.berth.control.loop.SharedCaches;
import dev.berth.core.admission.gate.FeatureGates;
import dev.berth.core.admission.gate.Gate;
import dev.berth.core.lifecycle.ClaimOwner;
import dev.berth.core.lifecycle.PodClaimPhase;
import dev.berth.model.api.claim.ResourceClaim;
import dev.berth.model.api.claim.ResourceClaimTemplate;
import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.api.pod.Pod;
import dev.berth.model.api.pod.PodClaimReferences;
import dev.berth.model.api.pod.PodGroup;
import dev.berth.model.api.pod.PodResourceClaimStatus;
import dev.berth.model.workqueue.WorkResult;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/// Creates claims from templates, reserves them for bound pods, and deallocates and deletes claims
/// that are no longer in use.
public final class ResourceClaimController extends KeyedControlLoop<ClaimKey> {

    public static final String NAME = "resourceclaim-controller";

    /// A scheduler reserves claims before it binds a pod, but the two events may arrive in the
    /// other order: a claim that is not reserved after this time was bound without the scheduler.
    private static final Duration RESERVATION_DELAY = Duration.ofSeconds(1);

    private static final long ROUND_MILLIS = 200;

    private final Clock clock;
    private final ClaimView view;
    private final RecentlyCreatedClaims recent = new RecentlyCreatedClaims();
    private final ClaimCreator creator;
    private final ClaimReleaser releaser;

    public ResourceClaimController(
            Cluster cluster,
            SharedCaches caches,
            EventRecorder events,
            FeatureGates gates,
            ClaimCreateMetrics creates,
            Clock clock) {
        this.clock = clock;
        this.view = new ClaimView(caches, gates.enabled(Gate.DRA_WORKLOAD_RESOURCE_CLAIMS));
        var requests = new ClaimRequests(cluster, creates);
        this.creator = new ClaimCreator(view, requests, events, recent, gates);
        this.releaser = new ClaimReleaser(view, requests);
        needs(view.pods).addListener(Listener.of(this::onPod));
        needs(view.claims).addListener(Listener.of(this::onClaim));
        needs(view.templates).addListener(Listener.of(this::onTemplate));
        view.groups.ifPresent(cache -> needs(cache).addListener(Listener.of(this::onGroup)));
    }

    private void onPod(Optional<Pod> before, Optional<Pod> after) {
        var pod = after.or(() -> before).orElseThrow();
        if (!PodClaimPhase.usesClaims(pod)) {
            return;
        }
        if (after.isEmpty()) {
            releaser.markDeleted(pod.metadata().uid());
            recent.remove(ClaimOwner.of(pod));
        } else if (before.filter(one -> !one.metadata().uid().equals(pod.metadata().uid()))
                .isPresent()) {
            before.ifPresent(one -> PodClaimReferences.all(one).forEach(this::addClaim));
        }
        if (after.isEmpty() || PodClaimPhase.isDoneWithClaims(pod)) {
            PodClaimReferences.all(pod).forEach(this::addClaim);
            view.claimsByOwner.find(pod.metadata().uid()).forEach(one -> addClaim(one.ref()));
        } else {
            addPod(pod);
        }
    }

    private void addClaim(ObjectRef claim) {
        add(new ClaimKey.OfClaim(claim));
    }

    private void addPod(Pod pod) {
        if (pod.metadata().isDeleting()) {
            return;
        }
        var key = new ClaimKey.OfPod(pod.ref());
        if (pod.spec().nodeName().isEmpty() || isMissingClaims(pod)) {
            add(key);
        } else {
            addAt(key, afterReservationDelay());
        }
    }

    /// Rounded up, so that many pods wake the controller once.
    private Instant afterReservationDelay() {
        var earliest = clock.instant().plus(RESERVATION_DELAY).toEpochMilli();
        return Instant.ofEpochMilli((earliest / ROUND_MILLIS + 1) * ROUND_MILLIS);
    }

    private static boolean isMissingClaims(Pod pod) {
        var owner = ClaimOwner.of(pod);
        return owner.statuses().size() < ClaimView.templates(owner).size();
    }

    private void onClaim(Optional<ResourceClaim> before, Optional<ResourceClaim> after) {
        var claim = after.or(() -> before).orElseThrow();
        recent.remove(claim);
        after.ifPresent(one -> addClaim(one.ref()));
        // Reservations do not concern pods that wait for the claim to exist or to be allocated.
        if (before.isEmpty()
                || after.isEmpty()
                || (before.get().status().allocation().isEmpty()
                        && after.get().status().allocation().isPresent())) {
            view.podsByClaim.find(claim.ref()).forEach(this::addPod);
            claim.metadata()
                    .controller()
                    .filter(owner -> owner.kind().equals(ClaimOwner.Type.POD_GROUP.kind()))
                    .ifPresent(owner ->
                            add(
                                    new ClaimKey.OfGroup(
                                            new ObjectRef(
                                                    claim.metadata().namespace(), owner.name()))));
        }
    }

    private void onTemplate(
            Optional<ResourceClaimTemplate> before, Optional<ResourceClaimTemplate> after) {
        after.ifPresent(template -> {
            view.podsByTemplate.find(template.ref()).stream()
                    .filter(pod -> !isNamed(pod))
                    .forEach(this::addPod);
            view.groups.stream()
                    .flatMap(cache -> cache.all().stream())
                    .filter(group ->
                            ClaimView.templates(ClaimOwner.of(group)).contains(template.ref()))
                    .forEach(group -> add(new ClaimKey.OfGroup(group.ref())));
        });
    }

    private static boolean isNamed(Pod pod) {
        return !isMissingClaims(pod)
                && ClaimOwner.of(pod).statuses().stream()
                        .map(PodResourceClaimStatus::resourceClaimName)
                        .allMatch(Optional::isPresent);
    }

    private void onGroup(Optional<PodGroup> before, Optional<PodGroup> after) {
        var group = after.or(() -> before).orElseThrow();
        if (after.isPresent()) {
            add(new ClaimKey.OfGroup(group.ref()));
            view.podsByGroup.find(group.ref()).forEach(this::addPod);
        } else {
            releaser.markDeleted(group.metadata().uid());
            view.claims.all().stream()
                    .filter(claim ->
                            claim.status().reservedFor().stream()
                                    .anyMatch(user -> user.uid().equals(group.metadata().uid())))
                    .forEach(claim -> addClaim(claim.ref()));
        }
    }

    @Override
    protected WorkResult reconcile(ClaimKey key, Instant now) {
        return switch (key) {
            case ClaimKey.OfPod(var ref) ->
                    view.pods
                            .find(ref)
                            .map(pod -> creator.create(pod, now))
                            .orElse(WorkResult.DONE);
            case ClaimKey.OfGroup(var ref) ->
                    view.group(ref)
                            .map(group -> creator.create(group, now))
                            .orElse(WorkResult.DONE);
            case ClaimKey.OfClaim(var ref) ->
                    view.claims.find(ref).map(releaser::release).orElse(WorkResult.DONE);
        };
    }
}
