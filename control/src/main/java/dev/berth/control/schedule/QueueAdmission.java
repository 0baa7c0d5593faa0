package dev.berth.control.schedule;

import dev.berth.core.place.ClaimResolver;
import dev.berth.core.place.PreFilterResult;
import dev.berth.core.schedule.BindingCycle;
import dev.berth.core.schedule.SchedulingQueue;
import dev.berth.model.api.claim.ResourceClaim;
import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.api.meta.Uid;
import dev.berth.model.api.pod.Pod;
import dev.berth.model.api.pod.PodGroup;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// Admits pods to the scheduling queue: pending pods of a profile, without scheduling gates, whose
/// claims and group exist. Belongs to the scheduler's thread.
final class QueueAdmission {

    private final SchedulingQueue queue;
    private final SchedulerProfiles profiles;
    private final ClaimResolver claimResolver;
    private final ClusterView view;
    private final PodBindings bindings;
    private final StepTime time;
    private final GatedPods gated = new GatedPods();

    /// Bound pods that the watch has not shown on their nodes. Their watch events meanwhile are
    /// outdated.
    private final Map<ObjectRef, Uid> boundUnseen = new HashMap<>();

    QueueAdmission(
            SchedulingQueue queue,
            SchedulerProfiles profiles,
            ClaimResolver claimResolver,
            ClusterView view,
            PodBindings bindings,
            StepTime time) {
        this.queue = queue;
        this.profiles = profiles;
        this.claimResolver = claimResolver;
        this.view = view;
        this.bindings = bindings;
        this.time = time;
    }

    /// Called when a pod was added or changed.
    void podSeen(Pod pod) {
        var isPending = pod.spec().nodeName().isEmpty() && !pod.metadata().isDeleting();
        if (isPending && pod.metadata().uid().equals(boundUnseen.get(pod.ref()))) {
            return;
        }
        boundUnseen.remove(pod.ref());
        if (isPending && profiles.contains(pod)) {
            admit(pod);
        } else {
            remove(pod.ref());
        }
    }

    void podDeleted(Pod pod) {
        boundUnseen.remove(pod.ref());
        remove(pod.ref());
    }

    private void remove(ObjectRef pod) {
        queue.remove(pod);
        gated.remove(pod);
    }

    private void admit(Pod pod) {
        if (bindings.contains(pod.ref())) {
            queue.put(pod, time.now());
            return;
        }
        if (!pod.spec().schedulingGates().isEmpty()) {
            // The API server sets the condition of gated pods.
            queue.gate(pod);
            gated.remove(pod.ref());
            return;
        }
        switch (claimResolver.resolve(pod)) {
            case PreFilterResult.Blocked(var reason) -> gate(pod, reason);
            case PreFilterResult.Ready _ -> {
                gated.remove(pod.ref());
                queue.put(pod, time.now());
            }
        }
    }

    /// Holds a pod until it, its claims or its group change.
    void gate(Pod pod, String reason) {
        queue.gate(pod);
        gated.put(pod.ref(), reason, time.now());
    }

    /// Called when a claim was added or changed.
    void claimSeen(ResourceClaim claim, Optional<ResourceClaim> before) {
        queue.gatedUsersOf(claim.ref()).forEach(this::admit);
        if (before.filter(old -> old.status().equals(claim.status())).isEmpty()) {
            queue.requeueUsersOf(claim.ref(), time.now());
        }
    }

    /// Called when a group was added or changed.
    void groupSeen(PodGroup group) {
        for (var ref : gated.all()) {
            view.pod(ref)
                    .filter(pod -> ref.namespace().equals(group.metadata().namespace()))
                    .filter(pod ->
                            pod.spec().podGroupName().equals(Optional.of(group.metadata().name())))
                    .ifPresent(this::admit);
        }
    }

    /// The scheduling so far of the pod that is being bound.
    Optional<SchedulingQueue.History> history(BindingCycle cycle) {
        return view.pod(cycle.ref()).filter(cycle::isOf).flatMap(pod -> queue.history(pod.ref()));
    }

    /// Removes a bound pod from the queue.
    void bound(BindingCycle cycle) {
        // A pod of the same name may have been created since.
        var seen = view.pod(cycle.ref()).filter(cycle::isOf);
        if (seen.isPresent()) {
            remove(cycle.ref());
            if (seen.get().spec().nodeName().isEmpty()) {
                boundUnseen.put(cycle.ref(), cycle.uid());
            }
        }
    }

    /// Reports why pods are held.
    void reportGated(PendingPodReporter reporter) {
        gated.report(
                time.now(),
                (ref, reason) -> {
                    var pod = view.pod(ref);
                    pod.ifPresent(p ->
                            reporter.add(
                                    view.report(
                                            p,
                                            PendingPodReporter.UNSCHEDULABLE,
                                            reason,
                                            Optional.empty())));
                    return pod.isPresent();
                });
    }
}
