package dev.berth.control.schedule;

import dev.berth.core.schedule.BindingState;
import dev.berth.core.schedule.Decision;
import dev.berth.core.schedule.ExtendedClaims;
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
import java.util.Objects;
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
final class Attempts {

    /// More would only wait for the server.
    private static final int MAX_RUNNING = 512;

    /// Who wants to know how it ends.
    interface Listener {

        void bound(Attempt attempt);

        void failed(Attempt attempt, String message);

        void waitsForDevices(Attempt attempt);

        void notAttached(Attempt attempt, ResourceClaim claim, List<DeviceId> devices);
    }

    /// What it works with.
    ///
    /// @param inbox of the scheduler's thread
    /// @param bindingConditions whether devices may have to be attached
    record Tools(
            AttemptWriter writer,
            Doing doing,
            Consumer<Runnable> inbox,
            Supplier<Instant> now,
            boolean bindingConditions,
            Duration bindingPatience) {}

    private final Tools tools;
    private final ClusterView view;
    private final Listener listener;
    // In the order in which they were decided.
    private final Map<ObjectRef, Attempt> running = new LinkedHashMap<>();
    private final Map<ObjectRef, List<AllocatedDevice>> given = new HashMap<>();
    private final Set<ObjectRef> busy = new HashSet<>();
    private final List<Attempt> stalled = new ArrayList<>();
    private final Map<ObjectRef, ClaimWriter.Result.Written> latest = new HashMap<>();
    private final Map<ObjectRef, Set<Attempt>> waiting = new HashMap<>();

    Attempts(Tools tools, ClusterView view, Listener listener) {
        this.tools = tools;
        this.view = view;
        this.listener = listener;
    }

    boolean isFull() {
        return running.size() >= MAX_RUNNING;
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
                || ExtendedClaims.inMemoryOf(claim)
                        .filter(ref -> devices.equals(given.get(ref)))
                        .isPresent();
    }

    /// Sends a pod on its way.
    void begin(Pod pod, Decision.Placed placed) {
        var attempt = new Attempt(pod, placed, view.order());
        running.put(pod.ref(), attempt);
        placed.fits().given().forEach(one -> given.put(one.ref(), one.result().devices()));
        view.assume(snapshot -> snapshot.assume(placed.question(), placed.fits()));
        write(attempt);
    }

    private void write(Attempt attempt) {
        var tasks = new ArrayList<ClaimWriter.Task>();
        var problem = tasks(attempt, tasks);
        if (problem.isPresent()) {
            undo(attempt, problem.get(), false);
            return;
        }
        if (tasks.stream().anyMatch(task -> busy.contains(task.ref()))) {
            stalled.add(attempt);
            return;
        }
        // Another pod of the group may have written what no watch has shown yet.
        attempt.placed.question().allocated().stream()
                .filter(claim -> attempt.user(claim.ref()).isPodGroup())
                .map(claim -> latest.get(claim.ref()))
                .filter(Objects::nonNull)
                .forEach(attempt.written::add);
        if (tasks.isEmpty() && attempt.placed.extended().isEmpty()) {
            confirm(attempt);
            return;
        }
        tasks.forEach(task -> busy.add(task.ref()));
        var extended = attempt.extendedResult().map(this::stamped);
        tools.doing.start(() -> {
            var result = tools.writer.perform(attempt, tasks, extended);
            tools.inbox.accept(() -> written(attempt, result));
        });
    }

    private Optional<String> tasks(Attempt attempt, List<ClaimWriter.Task> tasks) {
        var question = attempt.placed.question();
        for (var claim : question.allocated()) {
            var now = newest(claim.ref());
            if (now.isEmpty()) {
                return gone(claim);
            }
            if (hasOtherDevices(claim, now.get())) {
                return Optional.of(
                        "claim %s got allocated elsewhere in the meantime"
                                .formatted(claim.metadata().name()));
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
            var now = newest(given.ref());
            if (now.isEmpty()) {
                return gone(given.claim());
            }
            var result = Optional.of(stamped(given.result()));
            tasks.add(new ClaimWriter.Task(now.get(), result, attempt.user(given.ref())));
        }
        return Optional.empty();
    }

    /// Whether a claim has lost the devices for which a node was chosen and got others.
    private static boolean hasOtherDevices(ResourceClaim decided, ResourceClaim now) {
        return now.status().allocation().isPresent() && !ids(decided).equals(ids(now));
    }

    private static List<DeviceId> ids(ResourceClaim claim) {
        return claim.status().allocation().stream()
                .flatMap(allocation -> allocation.devices().stream())
                .map(AllocatedDevice::id)
                .toList();
    }

    private static Optional<String> gone(ResourceClaim claim) {
        return Optional.of(
                "claim %s got deleted in the meantime".formatted(claim.metadata().name()));
    }

    /// A claim as it was written or seen last.
    private Optional<ResourceClaim> newest(ObjectRef ref) {
        var seen = view.claim(ref);
        var written = Optional.ofNullable(latest.get(ref));
        var isNewer =
                written.isPresent()
                        && seen.filter(c -> ClusterView.version(c) < written.get().version())
                                .isPresent();
        return isNewer ? Optional.of(tools.writer.read(written.get().object())) : seen;
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

    private void written(Attempt attempt, AttemptWriter.Performed result) {
        attempt.written.addAll(result.done());
        attempt.made = result.made();
        result.tasks().forEach(task -> busy.remove(task.ref()));
        for (var written : result.done()) {
            if (view.claim(written.ref())
                    .filter(seen -> ClusterView.version(seen) >= written.version())
                    .isEmpty()) {
                latest.put(written.ref(), written);
            }
        }
        if (result.failure().isPresent()) {
            undo(attempt, result.failure().get(), false);
        } else {
            confirm(attempt);
        }
        var next = List.copyOf(stalled);
        stalled.clear();
        next.forEach(this::write);
    }

    /// Binds the pod once watches have shown all there is to wait for.
    private void confirm(Attempt attempt) {
        attempt.isWaiting = true;
        for (var written : attempt.written) {
            var seen = view.claim(written.ref());
            if (seen.isEmpty() || ClusterView.version(seen.get()) < written.version()) {
                await(attempt, written.ref());
                return;
            }
        }
        if (RivalGrants.hasLost(attempt, view)) {
            undo(attempt, "devices were given to another claim in the meantime", true);
            return;
        }
        for (var ref : attempt.stored()) {
            var claim = view.claim(ref);
            if (claim.isEmpty() || !BindingState.isNeeded(claim.get())) {
                continue;
            }
            switch (BindingState.of(claim.get(), tools.bindingPatience, tools.now.get())) {
                case BindingState.Ready _ -> {}
                case BindingState.Failed(var message, var devices) -> {
                    listener.notAttached(attempt, claim.get(), devices);
                    undo(attempt, message, false);
                    return;
                }
                case BindingState.Pending _ -> {
                    if (!attempt.isToldToWait) {
                        attempt.isToldToWait = true;
                        listener.waitsForDevices(attempt);
                    }
                    await(attempt, ref);
                    return;
                }
            }
        }
        bind(attempt);
    }

    private void await(Attempt attempt, ObjectRef claim) {
        waiting.computeIfAbsent(claim, _ -> new LinkedHashSet<>()).add(attempt);
    }

    /// A claim is new or has changed.
    void claimSeen(ResourceClaim claim) {
        var written = latest.get(claim.ref());
        if (written != null && written.version() <= ClusterView.version(claim)) {
            latest.remove(claim.ref());
        }
        var ready = waiting.remove(claim.ref());
        if (ready != null) {
            ready.forEach(this::confirm);
        }
    }

    void claimGone(ResourceClaim claim) {
        latest.remove(claim.ref());
        var lost = waiting.remove(claim.ref());
        if (lost != null) {
            lost.forEach(attempt -> undo(attempt, gone(claim).orElseThrow(), false));
        }
    }

    /// Looks after those that have waited too long for devices.
    void advance() {
        for (var attempt : List.copyOf(running.values())) {
            if (attempt.isWaiting && attempt.isToldToWait) {
                waiting.values().forEach(all -> all.remove(attempt));
                confirm(attempt);
            }
        }
        waiting.values().removeIf(Set::isEmpty);
    }

    private void bind(Attempt attempt) {
        attempt.isWaiting = false;
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

    private void end(Attempt attempt) {
        running.remove(attempt.ref());
        attempt.wanted().forEach(given::remove);
        var first = running.values().stream().findFirst();
        view.dropGrantsUntil(first.map(one -> one.order).orElse(view.order()));
    }

    /// Forgets what was assumed and takes back what was written.
    ///
    /// @param givesBack whether the devices belong to others
    private void undo(Attempt attempt, String message, boolean givesBack) {
        attempt.isWaiting = false;
        var kept = new HashSet<ObjectRef>();
        attempt.written.forEach(written -> kept.add(written.ref()));
        view.assume(snapshot -> {
            var next = snapshot.forgetPod(attempt.ref());
            for (var ref : attempt.wanted()) {
                next = kept.contains(ref) ? next : next.forgetClaim(ref);
            }
            return next;
        });
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
