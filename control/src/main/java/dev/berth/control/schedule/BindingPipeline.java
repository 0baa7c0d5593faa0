package dev.berth.control.schedule;

import dev.berth.core.schedule.BindingConditionState;
import dev.berth.core.schedule.SchedulingDecision;
import dev.berth.core.snapshot.ExtendedResourceClaims;
import dev.berth.model.api.AllocatedDevice;
import dev.berth.model.api.AllocationResult;
import dev.berth.model.api.DeviceId;
import dev.berth.model.api.ObjectRef;
import dev.berth.model.api.Pod;
import dev.berth.model.api.ResourceClaim;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;

/// Binding cycles of pods: from the decision until the pod is bound.
///
/// Each pod goes through the same steps. Its claims are written; pods that share a claim write it
/// one after the other, so that no write conflicts. Then the pod waits until the watch shows the
/// writes and until the binding conditions of its devices are true. Then it is bound. On failure
/// the assumptions are forgotten and the writes are undone, except allocations: the claim keeps
/// them for the next attempt.
final class BindingPipeline {

    /// More concurrent bindings would only wait for the API server.
    private static final int MAX_RUNNING = 512;

    /// The time that Kubernetes waits for a claim that it created.
    private static final Duration WATCH_TIMEOUT = Duration.ofMinutes(2);

    private static final String POD_DELETED = "the pod was deleted";

    /// Receives the outcome of bindings.
    interface Listener {

        /// The assumed resources of a pod are released.
        void resourcesFreed();

        void bound(PodBinding binding);

        void failed(PodBinding binding, String message);

        void awaitingBindingConditions(PodBinding binding);

        void bindingConditionsFailed(
                PodBinding binding, ResourceClaim claim, List<DeviceId> devices);
    }

    /// Collaborators of the pipeline.
    ///
    /// @param inbox message queue of the scheduler's thread
    /// @param bindingConditions whether devices may have binding conditions
    record Services(
            BindingWriter writer,
            TaskRunner taskRunner,
            Consumer<Runnable> inbox,
            Supplier<Instant> now,
            boolean bindingConditions,
            Duration bindingTimeout) {}

    private final Services services;
    private final ClusterView view;
    private final Listener listener;
    private final BindingVolumes volumes;
    // In the order of decisions.
    private final Map<ObjectRef, PodBinding> running = new LinkedHashMap<>();
    private final Map<ObjectRef, List<AllocatedDevice>> allocatedDevices = new HashMap<>();
    private final Set<ObjectRef> claimsBeingWritten = new HashSet<>();
    private final List<PodBinding> awaitingWrite = new ArrayList<>();
    private final LatestClaims latest;
    private final Map<ObjectRef, Set<PodBinding>> awaitingWatch = new HashMap<>();

    BindingPipeline(Services services, ClusterView view, Listener listener) {
        this.services = services;
        this.volumes = new BindingVolumes(services, view);
        this.latest = new LatestClaims(services.writer, view);
        this.view = view;
        this.listener = listener;
    }

    boolean isFull() {
        // Bindings that wait for volumes, which may take minutes, do not load the API server.
        return running.size() - volumes.size() >= MAX_RUNNING;
    }

    int size() {
        return running.size();
    }

    boolean isRunning(ObjectRef pod) {
        return running.containsKey(pod);
    }

    /// True when this scheduler wrote the current allocation of a claim, as opposed to an earlier
    /// attempt whose write succeeded late.
    boolean isOwnAllocation(ResourceClaim claim) {
        var devices = claim.status().allocation().map(AllocationResult::devices).orElse(List.of());
        return devices.equals(allocatedDevices.get(claim.ref()))
                || ExtendedResourceClaims.inMemoryOf(claim)
                        .filter(ref -> devices.equals(allocatedDevices.get(ref)))
                        .isPresent();
    }

    /// Starts the binding of a pod: assumes its placement and writes its claims.
    void begin(Pod pod, SchedulingDecision.Placed placed) {
        var binding = new PodBinding(pod, placed, view.sequence());
        running.put(pod.ref(), binding);
        placed.fits()
                .allocations()
                .forEach(one -> allocatedDevices.put(one.ref(), one.result().devices()));
        view.assume(snapshot -> snapshot.assume(placed.placement()));
        write(binding);
    }

    private void write(PodBinding binding) {
        var tasks = new ArrayList<ClaimWriter.Task>();
        var problem = binding.isCancelled ? Optional.of(POD_DELETED) : tasks(binding, tasks);
        if (problem.isPresent()) {
            undo(binding, problem.get(), false);
            return;
        }
        if (tasks.stream().anyMatch(task -> claimsBeingWritten.contains(task.ref()))) {
            awaitingWrite.add(binding);
            return;
        }
        tasks.forEach(task -> claimsBeingWritten.add(task.ref()));
        // Another pod of the group may have written a version that the watch has not shown yet.
        binding.placed.request().allocated().stream()
                .filter(claim -> !claimsBeingWritten.contains(claim.ref()))
                .flatMap(claim -> latest.unseen(claim.ref()).stream())
                .forEach(binding.written::add);
        if (tasks.isEmpty() && binding.placed.extended().isEmpty()) {
            confirm(binding);
            return;
        }
        var extended = binding.extendedResult().map(this::stamped);
        services.taskRunner.start(() -> {
            var result = services.writer.write(binding, tasks, extended);
            services.inbox.accept(() -> written(binding, result));
        });
    }

    private Optional<String> tasks(PodBinding binding, List<ClaimWriter.Task> tasks) {
        var request = binding.placed.request();
        for (var claim : request.allocated()) {
            var now = latest.find(claim.ref());
            if (now.isEmpty()) {
                return Optional.of(AssumedClaims.deleted(claim));
            }
            if (AssumedClaims.hasOtherDevices(claim, now.get())) {
                return Optional.of(AssumedClaims.allocatedElsewhere(claim));
            }
            var user = binding.consumer(claim.ref());
            if (!now.get().status().reservedFor().contains(user)) {
                tasks.add(new ClaimWriter.Task(now.get(), Optional.empty(), user));
            }
        }
        for (var allocation : binding.placed.fits().allocations()) {
            if (binding.isExtended(allocation.ref())) {
                continue;
            }
            var now = latest.find(allocation.ref());
            if (now.isEmpty()) {
                return Optional.of(AssumedClaims.deleted(allocation.ref()));
            }
            var result = Optional.of(stamped(allocation.result()));
            tasks.add(new ClaimWriter.Task(now.get(), result, binding.consumer(allocation.ref())));
        }
        return Optional.empty();
    }

    private AllocationResult stamped(AllocationResult result) {
        return services.bindingConditions && result.allocationTimestamp().isEmpty()
                ? new AllocationResult(
                        result.devices(),
                        result.config(),
                        result.nodeSelector(),
                        Optional.of(services.now.get().truncatedTo(ChronoUnit.SECONDS)))
                : result;
    }

    private void written(PodBinding binding, BindingWriter.WriteResult result) {
        binding.written.addAll(result.done());
        binding.extendedClaim = result.extendedClaim();
        result.tasks().forEach(task -> claimsBeingWritten.remove(task.ref()));
        result.done().forEach(latest::written);
        var failure = binding.isCancelled ? Optional.of(POD_DELETED) : result.failure();
        if (failure.isPresent()) {
            undo(binding, failure.get(), false);
        } else {
            confirm(binding);
        }
        var next = List.copyOf(awaitingWrite);
        awaitingWrite.clear();
        next.forEach(this::write);
    }

    /// Binds the pod once the watches have shown all its writes.
    private void confirm(PodBinding binding) {
        binding.startWaiting(services.now.get());
        for (var written : binding.written) {
            var seen = view.claim(written.ref());
            if (seen.isEmpty() && !binding.mayBeUnseen(written.ref())) {
                undo(binding, AssumedClaims.deleted(written.ref()), false);
                return;
            }
            if (seen.isEmpty() || ClusterView.version(seen.get()) < written.version()) {
                await(binding, written.ref());
                return;
            }
        }
        binding.isExtendedClaimSeen = binding.extendedClaim.isPresent();
        if (ConflictingAllocations.hasLost(binding, view)) {
            undo(binding, "devices were allocated to another claim in the meantime", true);
            return;
        }
        var problem = AssumedClaims.problem(binding, view);
        if (problem.isPresent()) {
            undo(binding, problem.get(), false);
        } else if (hasBindingConditions(binding)) {
            bindWithVolumes(binding);
        }
    }

    /// True when all binding conditions are true. Otherwise waits for them or undoes the binding.
    private boolean hasBindingConditions(PodBinding binding) {
        for (var ref : binding.stored()) {
            var claim = view.claim(ref).orElseThrow();
            if (!BindingConditionState.isRequired(claim)) {
                continue;
            }
            var since = Optional.of(binding.waitingSince());
            switch (BindingConditionState.of(
                    claim, since, services.bindingTimeout, services.now.get())) {
                case BindingConditionState.Ready _ -> {}
                case BindingConditionState.Failed(var message, var devices, _) -> {
                    listener.bindingConditionsFailed(binding, claim, devices);
                    undo(binding, message, false);
                    return false;
                }
                case BindingConditionState.Pending _ -> {
                    if (!binding.isWaitReported) {
                        binding.isWaitReported = true;
                        listener.awaitingBindingConditions(binding);
                    }
                    await(binding, ref);
                    return false;
                }
            }
        }
        return true;
    }

    private void bindWithVolumes(PodBinding binding) {
        switch (volumes.state(binding, this::volumesSeen)) {
            case BindingVolumes.State.Ready _ -> bind(binding);
            case BindingVolumes.State.Waiting _ -> {}
            case BindingVolumes.State.Failed(var message) -> undo(binding, message, false);
        }
    }

    /// Checks a binding again whose volumes changed.
    private void volumesSeen(PodBinding binding) {
        if (binding.isWaiting()) {
            confirm(binding);
        }
    }

    /// Called when volumes or volume claims changed.
    void volumesSeen() {
        volumes.waiting().forEach(this::volumesSeen);
    }

    private void await(PodBinding binding, ObjectRef claim) {
        awaitingWatch.computeIfAbsent(claim, _ -> new LinkedHashSet<>()).add(binding);
    }

    /// Called when a claim was added or changed.
    void claimSeen(ResourceClaim claim) {
        latest.seen(claim);
        var ready = awaitingWatch.remove(claim.ref());
        if (ready != null) {
            ready.forEach(this::confirm);
        }
    }

    void claimDeleted(ResourceClaim claim) {
        latest.deleted(claim.ref());
        var lost = awaitingWatch.remove(claim.ref());
        if (lost != null) {
            lost.forEach(binding -> undo(binding, AssumedClaims.deleted(claim), false));
        }
    }

    /// Cancels the binding of a deleted pod.
    void cancel(Pod pod) {
        var binding = running.get(pod.ref());
        if (binding != null && binding.isOf(pod)) {
            binding.isCancelled = true;
            if (binding.isWaiting()) {
                undo(binding, POD_DELETED, false);
            }
        }
    }

    /// Checks timeouts of bindings that wait for binding conditions or watches.
    void advance() {
        for (var binding : List.copyOf(running.values())) {
            if (!binding.isWaiting()) {
                continue;
            }
            if (binding.isWaitReported) {
                stopWaiting(binding);
                confirm(binding);
            } else if (!volumes.isPending(binding)
                    && binding.waitingSince().plus(WATCH_TIMEOUT).isBefore(services.now.get())) {
                undo(binding, "timed out waiting for the watch to show the written claims", false);
            }
        }
        awaitingWatch.values().removeIf(Set::isEmpty);
        volumesSeen();
    }

    private void stopWaiting(PodBinding binding) {
        awaitingWatch.values().forEach(all -> all.remove(binding));
    }

    private void bind(PodBinding binding) {
        binding.endWait();
        services.taskRunner.start(() -> {
            var outcome = services.writer.bind(binding);
            services.inbox.accept(() -> {
                if (outcome.isDone()) {
                    end(binding);
                    listener.bound(binding);
                } else {
                    undo(binding, outcome.message(), false);
                }
            });
        });
    }

    private void end(PodBinding binding) {
        running.remove(binding.ref());
        volumes.forget(binding);
        binding.toAllocate().forEach(allocatedDevices::remove);
        var first = running.values().stream().findFirst();
        view.dropForeignAllocationsUntil(first.map(one -> one.sequence).orElse(view.sequence()));
    }

    /// Forgets the assumptions and undoes the writes.
    ///
    /// @param deallocates true when another claim has the devices
    private void undo(PodBinding binding, String message, boolean deallocates) {
        binding.endWait();
        stopWaiting(binding);
        var kept = new HashSet<ObjectRef>();
        binding.written.forEach(written -> kept.add(written.ref()));
        view.assume(snapshot -> {
            var next = snapshot.forgetPod(binding.ref());
            for (var ref : binding.toAllocate()) {
                next = kept.contains(ref) ? next : next.forgetClaim(ref);
            }
            return next;
        });
        listener.resourcesFreed();
        var toAllocate = binding.toAllocate();
        var reserved = new HashMap<ObjectRef, ResourceClaim>();
        for (var ref : binding.stored()) {
            view.claim(ref)
                    .filter(claim -> claim.status().reservedFor().contains(binding.consumer(ref)))
                    .ifPresent(claim -> reserved.put(ref, claim));
        }
        services.taskRunner.start(() -> {
            try {
                services.writer.rollBack(binding, deallocates ? toAllocate : Set.of(), reserved);
            } finally {
                services.inbox.accept(() -> {
                    end(binding);
                    listener.failed(binding, message);
                });
            }
        });
    }
}
