package dev.berth.node.agent;

import dev.berth.model.api.Uid;
import dev.berth.model.json.JsonObject;
import dev.berth.node.agent.PodStatusWriter.Told;
import dev.berth.node.pod.InvalidContainerException;
import dev.berth.node.pod.PodAction;
import dev.berth.node.pod.PodDecision;
import dev.berth.node.pod.PodDefinition;
import dev.berth.node.pod.PodHistory;
import dev.berth.node.pod.PodObservation;
import dev.berth.node.runtime.ContainerState;
import dev.berth.node.runtime.ContainerState.Phase;
import dev.berth.node.runtime.RuntimeFailure;
import dev.berth.node.volume.VolumeException;
import java.nio.file.InvalidPathException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Looks after one pod, on a thread of its own: sees, decides, tells the cluster, acts, and begins
/// again whenever something may have changed.
final class PodWorker implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(PodWorker.class);

    /// What volumes show is looked at again after so long.
    private static final Duration FRESH = Duration.ofSeconds(60);

    private static final Duration SOON = Duration.ofSeconds(1);

    private final PodServices shop;
    private final PodActions hands;
    private final Consumer<Uid> onForget;
    private final BlockingQueue<Boolean> bell = new ArrayBlockingQueue<>(1);
    private final Map<String, Instant> stopping = new ConcurrentHashMap<>();
    private final Map<String, Thread> stoppers = new ConcurrentHashMap<>();
    private final PodProbes probes;
    private final PodStatusWriter writer;
    private final Thread thread;

    // Written by whoever hears of the pod.
    private volatile JsonObject tree;
    private volatile boolean isGone;

    // Only the worker's thread touches these.
    private final Map<String, String> farewells = new HashMap<>();
    private PodHistory memory = PodHistory.NOTHING;
    private Instant freshUntil = Instant.EPOCH;
    private List<PodAction> lastActions = List.of();
    private boolean isForgotten;

    /// Begins to look after a pod.
    ///
    /// @param onForget is told when nothing of it is left
    PodWorker(PodServices shop, JsonObject tree, boolean isGone, Consumer<Uid> onForget) {
        this.shop = shop;
        this.hands = new PodActions(shop);
        this.probes = new PodProbes(shop, hands, this::wake);
        this.writer = new PodStatusWriter(shop.cluster());
        this.tree = tree;
        this.isGone = isGone;
        this.onForget = onForget;
        this.thread =
                Thread.ofVirtual()
                        .name("pod-" + tree.objectOrEmpty("metadata").text("name"))
                        .start(this::run);
    }

    /// The pod has changed.
    void offer(JsonObject changed) {
        tree = changed;
        wake();
    }

    /// The cluster does not have the pod any more.
    void gone() {
        isGone = true;
        wake();
    }

    void wake() {
        var _ = bell.offer(true);
    }

    JsonObject tree() {
        return tree;
    }

    private void run() {
        try {
            while (!isForgotten) {
                var next = step();
                var wait = Duration.between(shop.clock().instant(), next);
                if (wait.isPositive()) {
                    var _ = bell.poll(wait.toMillis() + 1, TimeUnit.MILLISECONDS);
                }
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        } finally {
            probes.close();
        }
    }

    /// One turn; when the next one is due at the latest.
    private Instant step() throws InterruptedException {
        var task = PodDefinition.of(tree);
        var now = shop.clock().instant();
        try {
            // Read before the containers: a stop that completes in between would otherwise leave a
            // container that seems to run and not to be stopped, and be carried out twice.
            var stops = Map.copyOf(stopping);
            var seen = shop.view().last();
            if (seen.isEmpty()) {
                return now.plus(SOON);
            }
            var sight = sight(task, seen.get().of(task.uid()), stops);
            var decision = PodDecision.decide(task, sight, memory, now);
            memory = decision.memory();
            if (isGone) {
                return perform(task, decision, true);
            }
            return switch (writer.tell(task, decision.status())) {
                case Told.Known _ -> perform(task, decision, true);
                case Told.Unknown _ -> perform(task, decision, false);
                case Told.Written(var pod) -> {
                    tree = pod;
                    yield perform(task, decision, true);
                }
                case Told.Outdated(var pod) -> {
                    tree = pod;
                    yield now;
                }
                case Told.Gone _ -> {
                    isGone = true;
                    yield now;
                }
            };
        } catch (RuntimeException e) {
            LOG.error("pod {} cannot be looked after", task, e);
            return now.plus(SOON);
        }
    }

    private PodObservation sight(
            PodDefinition task, RuntimeStatusCache.Snapshot seen, Map<String, Instant> stops) {
        var running = new HashSet<String>();
        for (var container : seen.containers()) {
            if (container.phase() instanceof Phase.Running) {
                running.add(container.id());
            }
        }
        stopping.keySet().retainAll(running);
        for (var container : seen.containers()) {
            if (container.phase() instanceof Phase.Exited) {
                farewells.computeIfAbsent(container.id(), _ -> farewell(task, container));
            }
        }
        var held = shop.claims().held().of(task.uid());
        return new PodObservation(
                shop.facts(),
                seen.sandboxes(),
                seen.containers(),
                probes.fitness(task, seen),
                stops,
                farewells,
                shop.deviceHealth().apply(hands.record(task)),
                !held.isEmpty(),
                isGone);
    }

    private String farewell(PodDefinition task, ContainerState container) {
        return task.find(container.name())
                .map(one -> new TerminationMessages(shop.volumes()).read(task, one, container))
                .orElse("");
    }

    private Instant perform(PodDefinition task, PodDecision decision, boolean isTold)
            throws InterruptedException {
        var now = shop.clock().instant();
        var isRepeating = decision.actions().equals(lastActions);
        lastActions = decision.actions();
        try {
            for (var action : decision.actions()) {
                if (!isTold && needsTelling(action)) {
                    return now.plus(SOON);
                }
                perform(task, action);
            }
        } catch (ActionFailure e) {
            LOG.debug("pod {}: {}", task, e.text());
            memory = memory.stumbled(e.reason(), e.text(), shop.clock().instant());
            return now;
        }
        if (!decision.actions().isEmpty()) {
            shop.view().refresh();
            // What was done and seems to have had no effect is not done again at once.
            return isRepeating ? now.plus(SOON) : now;
        }
        refreshVolumes(task, now);
        var next = now.plus(isTold ? FRESH : SOON);
        return decision.lookAgainAt().filter(at -> at.isBefore(next)).orElse(next);
    }

    private static boolean needsTelling(PodAction action) {
        return action instanceof PodAction.RemoveSandbox || action instanceof PodAction.Delete;
    }

    private void perform(PodDefinition task, PodAction action)
            throws ActionFailure, InterruptedException {
        switch (action) {
            case PodAction.Mount _ -> {
                hands.mount(task);
                memory = memory.mounted();
                freshUntil = shop.clock().instant().plus(FRESH);
            }
            case PodAction.Prepare _ -> hands.prepare(task);
            case PodAction.CreateSandbox(var attempt) -> {
                hands.createSandbox(task, attempt);
                memory = memory.smooth();
            }
            case PodAction.RemoveSandbox(var sandbox) -> hands.removeSandbox(task, sandbox);
            case PodAction.Start(var container, var attempt) -> start(task, container, attempt);
            case PodAction.Stop stop -> stop(task, stop);
            case PodAction.RemoveContainer(var id) -> hands.removeContainer(id);
            case PodAction.Unprepare _ -> {
                hands.unprepare(task);
                memory = memory.smooth();
            }
            case PodAction.TakeDown _ -> {
                hands.takeDown(task);
                memory = memory.takenDown();
            }
            case PodAction.Delete _ -> hands.delete(task);
            case PodAction.Forget _ -> {
                hands.deleteLogs(task);
                isForgotten = true;
                onForget.accept(task.uid());
            }
            case PodAction.Tell(var isWarning, var reason, var message) ->
                    shop.events().tell(task.tree(), isWarning, reason, message);
        }
    }

    private void start(PodDefinition task, String name, int attempt) throws InterruptedException {
        try {
            var container = task.find(name).orElseThrow();
            var sandbox =
                    shop.view().last().orElseThrow().of(task.uid()).sandboxes().stream()
                            .filter(one -> one.isReady())
                            .findFirst()
                            .orElseThrow(() ->
                                    new InvalidContainerException(
                                            "CreateContainerError", "the sandbox is gone"));
            var volumes = shop.volumes().mount(task);
            var id =
                    hands.starter()
                            .start(
                                    PodDefinition.of(tree),
                                    hands.record(task),
                                    sandbox.id(),
                                    container,
                                    attempt,
                                    volumes);
            memory = memory.started(name);
            if (hands.postStart(task, name, id).isPresent()) {
                shop.runtime().stopContainer(id, task.grace());
            }
        } catch (InvalidContainerException e) {
            stumble(name, e.reason(), String.valueOf(e.getMessage()));
        } catch (RuntimeFailure | VolumeException | InvalidPathException e) {
            stumble(name, "CreateContainerError", String.valueOf(e.getMessage()));
        }
    }

    private void stumble(String container, String reason, String message) {
        memory = memory.stumbled(container, reason, message, shop.clock().instant());
    }

    private void stop(PodDefinition task, PodAction.Stop stop) {
        stopping.put(stop.id(), stop.by());
        var stopper = Thread.ofVirtual().name("stop-" + stop.id()).start(() -> end(task, stop));
        stoppers.put(stop.id(), stopper);
    }

    private void end(PodDefinition task, PodAction.Stop stop) {
        try {
            hands.stop(task, stop);
        } catch (RuntimeFailure e) {
            shop.events()
                    .tell(
                            task.tree(),
                            true,
                            "FailedKillPod",
                            "error killing pod: " + e.getMessage());
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        } finally {
            // The state shows whether it has ended; if not, it is tried again.
            shop.view().refresh();
            stopping.remove(stop.id(), stop.by());
            stoppers.remove(stop.id(), Thread.currentThread());
            wake();
        }
    }

    /// Changes of what volumes show reach pods that run.
    private void refreshVolumes(PodDefinition task, Instant now) {
        if (memory.isMounted() && freshUntil.isBefore(now) && !task.isLeaving()) {
            freshUntil = now.plus(FRESH);
            try {
                var _ = shop.volumes().mount(task);
            } catch (VolumeException e) {
                shop.events()
                        .tell(task.tree(), true, "FailedMount", String.valueOf(e.getMessage()));
            }
        }
    }

    @Override
    public void close() {
        thread.interrupt();
        stoppers.values().forEach(Thread::interrupt);
        try {
            thread.join(SOON);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
