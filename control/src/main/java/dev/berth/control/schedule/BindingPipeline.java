package dev.berth.control.schedule;

import dev.berth.core.schedule.BindingConditionState;
import dev.berth.core.schedule.ExtendedResourceClaims;
import dev.berth.core.schedule.SchedulingDecision;
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

/// The pods that are on their way: decided, and not yet bound.
///
/// Each goes through the same steps. Its claims are written; several pods that share a claim write
/// it one after the other, so that none has to read it again. Then it waits for the watch to show
/// what was written, and for devices to be attached. Then it is bound. Whatever goes wrong, what
/// was assumed of it is forgotten and what was written is taken back, except devices: the claim
/// keeps them for the next try.
final class BindingPipeline {

    /// More would only wait for the server.
    private static final int MAX_RUNNING = 512;

    /// As long as Kubernetes waits for a claim that it has made.
    private static final Duration WATCH_PATIENCE = Duration.ofMinutes(2);

    private static final String UNWANTED = "the pod does not want a node any more";

    /// Who wants to know how it ends.
    interface Listener {

        /// What was assumed of a pod is free for others.
        void freed();

        void bound(PodBinding attempt);

        void failed(PodBinding attempt, String message);

        void waitsForDevices(PodBinding attempt);

        void notAttached(PodBinding attempt, ResourceClaim claim, List<DeviceId> devices);
    }

    /// What it works with.
    ///
    /// @param inbox of the scheduler's thread
    /// @param bindingConditions whether devices may have to be attached
    record Tools(
            BindingWriter writer,
            TaskRunner doing,
            Consumer<Runnable> inbox,
            Supplier<Instant> now,
            boolean bindingConditions,
            Duration bindingPatience) {}

    private final Tools tools;
    private final ClusterView view;
    private final Listener listener;
    private final BindingVolumes volumes;
    // In the order in which they were decided.
    private final Map<ObjectRef, PodBinding> running = new LinkedHashMap<>();
    private final Map<ObjectRef, List<AllocatedDevice>> given = new HashMap<>();
    private final Set<ObjectRef> busy = new HashSet<>();
    private final List<PodBinding> stalled = new ArrayList<>();
    private final LatestClaims latest;
    private final Map<ObjectRef, Set<PodBinding>> waiting = new HashMap<>();

    BindingPipeline(Tools tools, ClusterView view, Listener listener) {
        this.tools = tools;
        this.volumes = new BindingVolumes(tools, view);
        this.latest = new LatestClaims(tools.writer, view);
        this.view = view;
        this.listener = listener;
    }

    boolean isFull() {
        // Volumes may take minutes, in which nobody waits for the server.
        return running.size() - volumes.size() >= MAX_RUNNING;
    }

    int size() {
        return running.size();
    }

    boolean isRunning(ObjectRef pod) {
        return running.containsKey(pod);
    }

    /// Whether a claim has got its devices from here, and these and not those that an earlier try
    /// has written after all.
    boolean isOurs(ResourceClaim claim) {
        var devices = claim.status().allocation().map(AllocationResult::devices).orElse(List.of());
        return devices.equals(given.get(claim.ref()))
                || ExtendedResourceClaims.inMemoryOf(claim)
                        .filter(ref -> devices.equals(given.get(ref)))
                        .isPresent();
    }

    /// Sends a pod on its way.
    void begin(Pod pod, SchedulingDecision.Placed placed) {
        var attempt = new PodBinding(pod, placed, view.order());
        running.put(pod.ref(), attempt);
        placed.fits().given().forEach(one -> given.put(one.ref(), one.result().devices()));
        view.assume(snapshot -> snapshot.assume(placed.question(), placed.fits()));
        write(attempt);
    }

    private void write(PodBinding attempt) {
        var tasks = new ArrayList<ClaimWriter.Task>();
        var problem = attempt.isCancelled ? Optional.of(UNWANTED) : tasks(attempt, tasks);
        if (problem.isPresent()) {
            undo(attempt, problem.get(), false);
            return;
        }
        if (tasks.stream().anyMatch(task -> busy.contains(task.ref()))) {
            stalled.add(attempt);
            return;
        }
        tasks.forEach(task -> busy.add(task.ref()));
        // Another pod of the group may have written what no watch has shown yet.
        attempt.placed.question().allocated().stream()
                .filter(claim -> !busy.contains(claim.ref()))
                .flatMap(claim -> latest.unseen(claim.ref()).stream())
                .forEach(attempt.written::add);
        if (tasks.isEmpty() && attempt.placed.extended().isEmpty()) {
            confirm(attempt);
            return;
        }
        var extended = attempt.extendedResult().map(this::stamped);
        tools.doing.start(() -> {
            var result = tools.writer.perform(attempt, tasks, extended);
            tools.inbox.accept(() -> written(attempt, result));
        });
    }

    private Optional<String> tasks(PodBinding attempt, List<ClaimWriter.Task> tasks) {
        var question = attempt.placed.question();
        for (var claim : question.allocated()) {
            var now = latest.find(claim.ref());
            if (now.isEmpty()) {
                return Optional.of(AssumedClaims.gone(claim));
            }
            if (AssumedClaims.hasOtherDevices(claim, now.get())) {
                return Optional.of(AssumedClaims.takenElsewhere(claim));
            }
            var user = attempt.user(claim.ref());
            if (!now.get().status().reservedFor().contains(user)) {
                tasks.add(new ClaimWriter.Task(now.get(), Optional.empty(), user));
            }
        }
        for (var given : attempt.placed.fits().given()) {
            if (attempt.isExtended(given.ref())) {
                continue;
            }
            var now = latest.find(given.ref());
            if (now.isEmpty()) {
                return Optional.of(AssumedClaims.gone(given.ref()));
            }
            var result = Optional.of(stamped(given.result()));
            tasks.add(new ClaimWriter.Task(now.get(), result, attempt.user(given.ref())));
        }
        return Optional.empty();
    }

    private AllocationResult stamped(AllocationResult result) {
        return tools.bindingConditions && result.allocationTimestamp().isEmpty()
                ? new AllocationResult(
                        result.devices(),
                        result.config(),
                        result.nodeSelector(),
                        Optional.of(tools.now.get().truncatedTo(ChronoUnit.SECONDS)))
                : result;
    }

    private void written(PodBinding attempt, BindingWriter.Performed result) {
        attempt.written.addAll(result.done());
        attempt.made = result.made();
        result.tasks().forEach(task -> busy.remove(task.ref()));
        result.done().forEach(latest::written);
        var failure = attempt.isCancelled ? Optional.of(UNWANTED) : result.failure();
        if (failure.isPresent()) {
            undo(attempt, failure.get(), false);
        } else {
            confirm(attempt);
        }
        var next = List.copyOf(stalled);
        stalled.clear();
        next.forEach(this::write);
    }

    /// Binds the pod once watches have shown all there is to wait for.
    private void confirm(PodBinding attempt) {
        attempt.waitFrom(tools.now.get());
        for (var written : attempt.written) {
            var seen = view.claim(written.ref());
            if (seen.isEmpty() && !attempt.isYetToBeSeen(written.ref())) {
                undo(attempt, AssumedClaims.gone(written.ref()), false);
                return;
            }
            if (seen.isEmpty() || ClusterView.version(seen.get()) < written.version()) {
                await(attempt, written.ref());
                return;
            }
        }
        attempt.isMadeSeen = attempt.made.isPresent();
        if (ConflictingAllocations.hasLost(attempt, view)) {
            undo(attempt, "devices were given to another claim in the meantime", true);
            return;
        }
        var problem = AssumedClaims.problem(attempt, view);
        if (problem.isPresent()) {
            undo(attempt, problem.get(), false);
        } else if (isAttached(attempt)) {
            bindWithVolumes(attempt);
        }
    }

    /// Whether all devices are attached. If not, it is seen to what comes of that.
    private boolean isAttached(PodBinding attempt) {
        for (var ref : attempt.stored()) {
            var claim = view.claim(ref).orElseThrow();
            if (!BindingConditionState.isNeeded(claim)) {
                continue;
            }
            var since = Optional.of(attempt.waitsSince());
            switch (BindingConditionState.of(
                    claim, since, tools.bindingPatience, tools.now.get())) {
                case BindingConditionState.Ready _ -> {}
                case BindingConditionState.Failed(var message, var devices, _) -> {
                    listener.notAttached(attempt, claim, devices);
                    undo(attempt, message, false);
                    return false;
                }
                case BindingConditionState.Pending _ -> {
                    if (!attempt.isToldToWait) {
                        attempt.isToldToWait = true;
                        listener.waitsForDevices(attempt);
                    }
                    await(attempt, ref);
                    return false;
                }
            }
        }
        return true;
    }

    private void bindWithVolumes(PodBinding attempt) {
        switch (volumes.state(attempt, this::volumesSeen)) {
            case BindingVolumes.State.Ready _ -> bind(attempt);
            case BindingVolumes.State.Waiting _ -> {}
            case BindingVolumes.State.Failed(var message) -> undo(attempt, message, false);
        }
    }

    /// Something is new about the volumes that a pod waits for.
    private void volumesSeen(PodBinding attempt) {
        if (attempt.isWaiting()) {
            confirm(attempt);
        }
    }

    /// Something is new about volumes.
    void volumesSeen() {
        volumes.waiting().forEach(this::volumesSeen);
    }

    private void await(PodBinding attempt, ObjectRef claim) {
        waiting.computeIfAbsent(claim, _ -> new LinkedHashSet<>()).add(attempt);
    }

    /// A claim is new or has changed.
    void claimSeen(ResourceClaim claim) {
        latest.seen(claim);
        var ready = waiting.remove(claim.ref());
        if (ready != null) {
            ready.forEach(this::confirm);
        }
    }

    void claimGone(ResourceClaim claim) {
        latest.gone(claim.ref());
        var lost = waiting.remove(claim.ref());
        if (lost != null) {
            lost.forEach(attempt -> undo(attempt, AssumedClaims.gone(claim), false));
        }
    }

    /// A pod does not want a node any more.
    void cancel(Pod pod) {
        var attempt = running.get(pod.ref());
        if (attempt != null && attempt.isOf(pod)) {
            attempt.isCancelled = true;
            if (attempt.isWaiting()) {
                undo(attempt, UNWANTED, false);
            }
        }
    }

    /// Looks after those that have waited too long for devices or watches.
    void advance() {
        for (var attempt : List.copyOf(running.values())) {
            if (!attempt.isWaiting()) {
                continue;
            }
            if (attempt.isToldToWait) {
                stopWaiting(attempt);
                confirm(attempt);
            } else if (!volumes.isAwaitedBy(attempt)
                    && attempt.waitsSince().plus(WATCH_PATIENCE).isBefore(tools.now.get())) {
                undo(attempt, "no watch has shown what was written of the claims", false);
            }
        }
        waiting.values().removeIf(Set::isEmpty);
        volumesSeen();
    }

    private void stopWaiting(PodBinding attempt) {
        waiting.values().forEach(all -> all.remove(attempt));
    }

    private void bind(PodBinding attempt) {
        attempt.waitNoMore();
        tools.doing.start(() -> {
            var outcome = tools.writer.bind(attempt);
            tools.inbox.accept(() -> {
                if (outcome.isDone()) {
                    end(attempt);
                    listener.bound(attempt);
                } else {
                    undo(attempt, outcome.message(), false);
                }
            });
        });
    }

    private void end(PodBinding attempt) {
        running.remove(attempt.ref());
        volumes.forget(attempt);
        attempt.wanted().forEach(given::remove);
        var first = running.values().stream().findFirst();
        view.dropGrantsUntil(first.map(one -> one.order).orElse(view.order()));
    }

    /// Forgets what was assumed and takes back what was written.
    ///
    /// @param givesBack whether the devices belong to others
    private void undo(PodBinding attempt, String message, boolean givesBack) {
        attempt.waitNoMore();
        stopWaiting(attempt);
        var kept = new HashSet<ObjectRef>();
        attempt.written.forEach(written -> kept.add(written.ref()));
        view.assume(snapshot -> {
            var next = snapshot.forgetPod(attempt.ref());
            for (var ref : attempt.wanted()) {
                next = kept.contains(ref) ? next : next.forgetClaim(ref);
            }
            return next;
        });
        listener.freed();
        var wanted = attempt.wanted();
        var reserved = new HashMap<ObjectRef, ResourceClaim>();
        for (var ref : attempt.stored()) {
            view.claim(ref)
                    .filter(claim -> claim.status().reservedFor().contains(attempt.user(ref)))
                    .ifPresent(claim -> reserved.put(ref, claim));
        }
        tools.doing.start(() -> {
            try {
                tools.writer.takeBack(attempt, givesBack ? wanted : Set.of(), reserved);
            } finally {
                tools.inbox.accept(() -> {
                    end(attempt);
                    listener.failed(attempt, message);
                });
            }
        });
    }
}
