package dev.berth.control.devices;

import dev.berth.client.Cluster;
import dev.berth.client.cache.CacheIndex;
import dev.berth.client.cache.ObjectCache;
import dev.berth.client.cache.ObjectCache.Listener;
import dev.berth.client.event.EventRecorder;
import dev.berth.control.loop.KeyedControlLoop;
import dev.berth.control.loop.PodDeletion;
import dev.berth.control.loop.SharedCaches;
import dev.berth.core.lifecycle.DeviceEviction;
import dev.berth.core.lifecycle.PodClaimPhase;
import dev.berth.core.lifecycle.TaintRuleConditions;
import dev.berth.core.lifecycle.TaintRuleImpact;
import dev.berth.model.api.claim.AllocatedDevice;
import dev.berth.model.api.claim.ResourceClaim;
import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.api.meta.Uid;
import dev.berth.model.api.pod.Pod;
import dev.berth.model.api.pod.PodClaimReferences;
import dev.berth.model.api.slice.DeviceId;
import dev.berth.model.api.slice.ResourceSlice;
import dev.berth.model.api.taint.DeviceTaintRule;
import dev.berth.model.codec.Kinds;
import dev.berth.model.event.Event;
import dev.berth.model.event.EventSource;
import dev.berth.model.event.InvolvedObject;
import dev.berth.model.workqueue.WorkResult;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/// Evicts pods whose devices have `NoExecute` taints that they do not tolerate, and reports the
/// progress in the status of DeviceTaintRules.
///
/// A new rule first gets a status with the number of affected pods; only then its pods are evicted.
/// Which rules have got there is kept in memory and not read from their status, since a status may
/// have been written although the response was lost.
public final class DeviceTaintEvictionController extends KeyedControlLoop<EvictionKey> {

    public static final String NAME = "device-taint-eviction-controller";

    private static final EventSource SOURCE = EventSource.controller(NAME);

    /// A generation of a rule.
    private record Version(Uid uid, long generation) {

        static Version of(DeviceTaintRule rule) {
            return new Version(rule.metadata().uid(), rule.metadata().generation());
        }
    }

    private final Clock clock;
    private final EventRecorder events;
    private final PodDeletion deletion;
    private final TaintRuleStatusWriter statuses;
    private final ObjectCache<Pod> pods;
    private final ObjectCache<ResourceClaim> claims;
    private final ObjectCache<DeviceTaintRule> rules;
    private final TaintedDevices tainted;
    private final CacheIndex<ObjectRef, Pod> podsByClaim;
    private final CacheIndex<DeviceId, ResourceClaim> claimsByDevice;
    private final Map<Uid, DeviceEviction.Decision> pending = new ConcurrentHashMap<>();

    /// Evicted pods that still exist. Their rules are reported again when they are gone.
    private final Map<Uid, DeviceEviction.Decision> terminating = new ConcurrentHashMap<>();

    private final Map<Uid, Long> evictedByRule = new ConcurrentHashMap<>();
    private final Map<ObjectRef, Version> applied = new ConcurrentHashMap<>();

    /// @param rules empty if DeviceTaintRules are disabled, so that only published taints count
    public DeviceTaintEvictionController(
            Cluster cluster,
            SharedCaches caches,
            ObjectCache<DeviceTaintRule> rules,
            EventRecorder events,
            Clock clock) {
        this.clock = clock;
        this.events = events;
        this.deletion = new PodDeletion(cluster);
        this.statuses = new TaintRuleStatusWriter(cluster);
        this.pods = needs(caches.of(Kinds.POD));
        this.claims = needs(caches.of(Kinds.RESOURCE_CLAIM));
        this.rules = needs(rules);
        var slices = needs(caches.of(Kinds.RESOURCE_SLICE));
        this.tainted = new TaintedDevices(slices);
        this.podsByClaim = pods.index(PodClaimReferences::all);
        this.claimsByDevice = claims.index(DeviceTaintEvictionController::devices);
        pods.addListener(Listener.of(this::onPod));
        claims.addListener(Listener.of(this::onClaim));
        rules.addListener(Listener.of(this::onRule));
        slices.addListener(Listener.of(this::onSlice));
    }

    private static List<DeviceId> devices(ResourceClaim claim) {
        return claim.status().allocation().stream()
                .flatMap(allocation -> allocation.devices().stream())
                .map(AllocatedDevice::id)
                .distinct()
                .toList();
    }

    private void onPod(Optional<Pod> before, Optional<Pod> after) {
        if (after.isEmpty()) {
            before.ifPresent(pod -> gone(pod.metadata().uid()));
        } else if (PodClaimPhase.usesClaims(after.get()) && isRelevantChange(before, after.get())) {
            add(new EvictionKey.OfPod(after.get().ref()));
        }
    }

    private void gone(Uid uid) {
        cancelled(uid);
        Optional.ofNullable(terminating.remove(uid)).ifPresent(this::addRules);
    }

    private static boolean isRelevantChange(Optional<Pod> before, Pod after) {
        return !after.spec().nodeName().isEmpty()
                && (before.isEmpty()
                        || !before.get().metadata().uid().equals(after.metadata().uid())
                        || !before.get().spec().nodeName().equals(after.spec().nodeName())
                        || !PodClaimReferences.all(before.get())
                                .equals(PodClaimReferences.all(after)));
    }

    private void onClaim(Optional<ResourceClaim> before, Optional<ResourceClaim> after) {
        var isAllocated =
                before.or(() -> after).flatMap(one -> one.status().allocation()).isPresent()
                        || after.flatMap(one -> one.status().allocation()).isPresent();
        if (isAllocated) {
            addPodsOf(after.or(() -> before).orElseThrow());
        }
    }

    private void addPodsOf(ResourceClaim claim) {
        for (var pod : podsByClaim.find(claim.ref())) {
            if (!pod.spec().nodeName().isEmpty()) {
                add(new EvictionKey.OfPod(pod.ref()));
            }
        }
    }

    private void onSlice(Optional<ResourceSlice> before, Optional<ResourceSlice> after) {
        for (var id : tainted.changed(before, after)) {
            claimsByDevice.find(id).forEach(this::addPodsOf);
        }
    }

    private void onRule(Optional<DeviceTaintRule> before, Optional<DeviceTaintRule> after) {
        if (after.isEmpty()) {
            before.ifPresent(rule -> {
                evictedByRule.remove(rule.metadata().uid());
                add(new EvictionKey.OfRule(rule.ref()));
                addPodsOf(rule);
            });
        } else if (before.isEmpty() || !before.get().spec().equals(after.get().spec())) {
            add(new EvictionKey.OfRule(after.get().ref()));
            before.ifPresent(this::addPodsOf);
        }
    }

    private void addPodsOf(DeviceTaintRule rule) {
        Predicate<DeviceId> isSelected =
                id -> rule.spec().deviceSelector().filter(one -> one.matches(id)).isPresent();
        for (var claim : claims.all()) {
            if (devices(claim).stream().anyMatch(isSelected)) {
                addPodsOf(claim);
            }
        }
    }

    @Override
    protected WorkResult reconcile(EvictionKey key, Instant now) {
        return switch (key) {
            case EvictionKey.OfPod(var ref) ->
                    pods.find(ref).map(pod -> evaluate(pod, now)).orElse(WorkResult.DONE);
            case EvictionKey.OfRule(var ref) ->
                    rules.find(ref)
                            .map(rule -> report(rule, now))
                            .orElseGet(() -> {
                                applied.remove(ref);
                                return WorkResult.DONE;
                            });
        };
    }

    private WorkResult evaluate(Pod pod, Instant now) {
        var uid = pod.metadata().uid();
        var decision =
                new DeviceEviction(tainted::on, List.copyOf(rules.all())).of(pod, claims::find);
        if (decision.isEmpty()) {
            if (cancelled(uid) && !pod.metadata().isDeleting()) {
                recordEvent(pod, "Cancelling deletion");
            }
            return WorkResult.DONE;
        }
        pending.put(uid, decision.get());
        if (decision.get().at().isAfter(now)) {
            addRules(decision.get());
            return new WorkResult.RequeueAt(decision.get().at());
        }
        return evict(pod, decision.get(), now);
    }

    private WorkResult evict(Pod pod, DeviceEviction.Decision decision, Instant now) {
        var reason =
                new PodDeletion.Reason(
                        "DeletionByDeviceTaintManager",
                        "Device Taint manager: deleting due to NoExecute taint");
        var done =
                deletion.delete(pod, reason, now, () -> recordEvent(pod, "Marking for deletion"));
        if (done.result() instanceof WorkResult.Done) {
            var uid = pod.metadata().uid();
            pending.remove(uid);
            terminating.put(uid, decision);
            if (pods.find(pod.ref()).filter(one -> one.metadata().uid().equals(uid)).isEmpty()) {
                terminating.remove(uid);
            }
            if (done.deleted()) {
                for (var rule : rulesOf(decision)) {
                    evictedByRule.merge(rule.metadata().uid(), 1L, Long::sum);
                }
            }
            addRules(decision);
        }
        return done.result();
    }

    private void recordEvent(Pod pod, String message) {
        events.record(
                Event.normal(
                        SOURCE, InvolvedObject.of(pod), "DeviceTaintManagerEviction", message));
    }

    /// The pod need not be evicted any more; true when its eviction was pending.
    private boolean cancelled(Uid uid) {
        var was = pending.remove(uid);
        if (was != null) {
            addRules(was);
        }
        return was != null;
    }

    private List<DeviceTaintRule> rulesOf(DeviceEviction.Decision decision) {
        return rules.all().stream()
                .filter(rule -> decision.isBecauseOf(rule.metadata().uid()))
                .toList();
    }

    private void addRules(DeviceEviction.Decision decision) {
        for (var rule : rulesOf(decision)) {
            addAt(new EvictionKey.OfRule(rule.ref()), max(TaintRuleConditions.mayChangeAt(rule)));
        }
    }

    private Instant max(Instant at) {
        var now = clock.instant();
        return at.isBefore(now) ? now : at;
    }

    private WorkResult report(DeviceTaintRule rule, Instant now) {
        if (TaintRuleConditions.isCurrent(rule)) {
            apply(rule);
        }
        var earliest = TaintRuleConditions.mayChangeAt(rule);
        if (earliest.isAfter(now)) {
            return new WorkResult.RequeueAt(earliest);
        }
        var counts =
                TaintRuleImpact.of(
                        rule,
                        tainted.newest(),
                        claims.all(),
                        pods.all(),
                        claims::find,
                        evictedByRule.getOrDefault(rule.metadata().uid(), 0L));
        var change = TaintRuleConditions.change(rule, counts, now);
        var result =
                change.map(condition -> statuses.write(rule, condition)).orElse(WorkResult.DONE);
        if (result instanceof WorkResult.Done) {
            apply(rule);
        }
        return result instanceof WorkResult.Done && counts.pods() > 0 && change.isPresent()
                ? new WorkResult.RequeueAt(now.plus(TaintRuleConditions.PERIOD))
                : result;
    }

    /// Queues the pods of a rule whose status is written; once for each generation of the rule.
    private void apply(DeviceTaintRule rule) {
        var version = Version.of(rule);
        if (!version.equals(applied.put(rule.ref(), version))) {
            addPodsOf(rule);
        }
    }
}
