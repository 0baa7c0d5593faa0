package dev.berth.node.agent;

import dev.berth.model.api.meta.Uid;
import dev.berth.model.json.JsonObject;
import dev.berth.node.agent.PodStatusWriter.WriteResult;
import dev.berth.node.pod.InvalidContainerException;
import dev.berth.node.pod.PodAction;
import dev.berth.node.pod.PodDecision;
import dev.berth.node.pod.PodDefinition;
import dev.berth.node.pod.PodObservation;
import dev.berth.node.pod.PodWorkerState;
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

/// Pod worker: syncs one pod on a thread of its own. Each sync observes, decides, writes the status
/// and acts; it repeats whenever something may have changed.
final class PodWorker implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(PodWorker.class);

    /// Interval for refreshing the content of volumes.
    private static final Duration VOLUME_REFRESH = Duration.ofSeconds(60);

    private static final Duration RETRY_DELAY = Duration.ofSeconds(1);

    private final PodServices services;
    private final PodActions actions;
    private final Consumer<Uid> onForget;
    private final BlockingQueue<Boolean> wakeups = new ArrayBlockingQueue<>(1);
    private final Map<String, Instant> stopping = new ConcurrentHashMap<>();
    private final Map<String, Thread> stoppers = new ConcurrentHashMap<>();
    private final PodProbes probes;
    private final PodStatusWriter writer;
    private final Thread thread;

    // Written by watch threads.
    private volatile JsonObject tree;
    private volatile boolean isGone;

    // Used by the worker's thread only.
    private final Map<String, String> terminationMessages = new HashMap<>();
    private PodWorkerState workerState = PodWorkerState.EMPTY;
    private Instant volumesFreshUntil = Instant.EPOCH;
    private List<PodAction> lastActions = List.of();
    private boolean isForgotten;

    /// Starts the worker of a pod.
    ///
    /// @param onForget called when nothing of the pod is left
    PodWorker(PodServices services, JsonObject tree, boolean isGone, Consumer<Uid> onForget) {
        this.services = services;
        this.actions = new PodActions(services);
        this.probes = new PodProbes(services, actions, this::wake);
        this.writer = new PodStatusWriter(services.cluster());
        this.tree = tree;
        this.isGone = isGone;
        this.onForget = onForget;
        this.thread =
                Thread.ofVirtual()
                        .name("pod-" + tree.objectOrEmpty("metadata").text("name"))
                        .start(this::run);
    }

    /// The pod has changed.
    void update(JsonObject changed) {
        tree = changed;
        wake();
    }

    /// The pod was deleted from the cluster.
    void gone() {
        isGone = true;
        wake();
    }

    void wake() {
        var _ = wakeups.offer(true);
    }

    JsonObject tree() {
        return tree;
    }

    private void run() {
        try {
            while (!isForgotten) {
                var next = sync();
                var wait = Duration.between(services.clock().instant(), next);
                if (wait.isPositive()) {
                    var _ = wakeups.poll(wait.toMillis() + 1, TimeUnit.MILLISECONDS);
                }
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        } finally {
            probes.close();
        }
    }

    /// One sync. Returns when the next one is due at the latest.
    private Instant sync() throws InterruptedException {
        var definition = PodDefinition.of(tree);
        var now = services.clock().instant();
        try {
            // Read before the containers: a stop that completes in between would otherwise leave a
            // container that seems to run and not to be stopped, and be carried out twice.
            var stops = Map.copyOf(stopping);
            var snapshot = services.statusCache().last();
            if (snapshot.isEmpty()) {
                return now.plus(RETRY_DELAY);
            }
            var observation = observation(definition, snapshot.get().of(definition.uid()), stops);
            var decision = PodDecision.decide(definition, observation, workerState, now);
            workerState = decision.workerState();
            if (isGone) {
                return perform(definition, decision, true);
            }
            return switch (writer.write(definition, decision.status())) {
                case WriteResult.Unchanged _ -> perform(definition, decision, true);
                case WriteResult.Failed _ -> perform(definition, decision, false);
                case WriteResult.Written(var pod) -> {
                    tree = pod;
                    yield perform(definition, decision, true);
                }
                case WriteResult.Outdated(var pod) -> {
                    tree = pod;
                    yield now;
                }
                case WriteResult.Gone _ -> {
                    isGone = true;
                    yield now;
                }
            };
        } catch (RuntimeException e) {
            LOG.error("sync of pod {} failed", definition, e);
            return now.plus(RETRY_DELAY);
        }
    }

    private PodObservation observation(
            PodDefinition definition,
            RuntimeStatusCache.Snapshot snapshot,
            Map<String, Instant> stops) {
        var running = new HashSet<String>();
        for (var container : snapshot.containers()) {
            if (container.phase() instanceof Phase.Running) {
                running.add(container.id());
            }
        }
        stopping.keySet().retainAll(running);
        for (var container : snapshot.containers()) {
            if (container.phase() instanceof Phase.Exited) {
                terminationMessages.computeIfAbsent(
                        container.id(), _ -> terminationMessage(definition, container));
            }
        }
        var claimStates = services.claims().claimStates().of(definition.uid());
        return new PodObservation(
                services.facts(),
                snapshot.sandboxes(),
                snapshot.containers(),
                probes.probeResults(definition, snapshot),
                stops,
                terminationMessages,
                services.deviceHealth().apply(actions.record(definition)),
                !claimStates.isEmpty(),
                isGone);
    }

    private String terminationMessage(PodDefinition definition, ContainerState container) {
        return definition
                .find(container.name())
                .map(one ->
                        new TerminationMessages(services.volumes())
                                .read(definition, one, container))
                .orElse("");
    }

    private Instant perform(PodDefinition definition, PodDecision decision, boolean isStatusWritten)
            throws InterruptedException {
        var now = services.clock().instant();
        var isRepeating = decision.actions().equals(lastActions);
        lastActions = decision.actions();
        try {
            for (var action : decision.actions()) {
                if (!isStatusWritten && needsWrittenStatus(action)) {
                    return now.plus(RETRY_DELAY);
                }
                perform(definition, action);
            }
        } catch (ActionFailure e) {
            LOG.debug("pod {}: {}", definition, e.text());
            workerState = workerState.failed(e.reason(), e.text(), services.clock().instant());
            return now;
        }
        if (!decision.actions().isEmpty()) {
            services.statusCache().refresh();
            // Actions that seem to have had no effect are not repeated at once.
            return isRepeating ? now.plus(RETRY_DELAY) : now;
        }
        refreshVolumes(definition, now);
        var next = now.plus(isStatusWritten ? VOLUME_REFRESH : RETRY_DELAY);
        return decision.requeueAt().filter(at -> at.isBefore(next)).orElse(next);
    }

    private static boolean needsWrittenStatus(PodAction action) {
        return action instanceof PodAction.RemoveSandbox || action instanceof PodAction.Delete;
    }

    private void perform(PodDefinition definition, PodAction action)
            throws ActionFailure, InterruptedException {
        switch (action) {
            case PodAction.Mount _ -> {
                actions.mount(definition);
                workerState = workerState.mounted();
                volumesFreshUntil = services.clock().instant().plus(VOLUME_REFRESH);
            }
            case PodAction.Prepare _ -> actions.prepare(definition);
            case PodAction.CreateSandbox(var attempt) -> {
                actions.createSandbox(definition, attempt);
                workerState = workerState.succeeded();
            }
            case PodAction.RemoveSandbox(var sandbox) -> actions.removeSandbox(definition, sandbox);
            case PodAction.Start(var container, var attempt) ->
                    start(definition, container, attempt);
            case PodAction.Stop stop -> stop(definition, stop);
            case PodAction.RemoveContainer(var id) -> actions.removeContainer(id);
            case PodAction.Unprepare _ -> {
                actions.unprepare(definition);
                workerState = workerState.succeeded();
            }
            case PodAction.Unmount _ -> {
                actions.unmount(definition);
                workerState = workerState.unmounted();
            }
            case PodAction.Delete _ -> actions.delete(definition);
            case PodAction.Forget _ -> {
                actions.deleteLogs(definition);
                isForgotten = true;
                onForget.accept(definition.uid());
            }
            case PodAction.RecordEvent(var container, var isWarning, var reason, var message) ->
                    services.events()
                            .record(definition.tree(), container, isWarning, reason, message);
        }
    }

    private void start(PodDefinition definition, String name, int attempt)
            throws InterruptedException {
        try {
            var container = definition.find(name).orElseThrow();
            var sandbox =
                    services
                            .statusCache()
                            .last()
                            .orElseThrow()
                            .of(definition.uid())
                            .sandboxes()
                            .stream()
                            .filter(one -> one.isReady())
                            .findFirst()
                            .orElseThrow(() ->
                                    new InvalidContainerException(
                                            "CreateContainerError", "the sandbox is gone"));
            var volumes = services.volumes().mount(definition);
            var id =
                    actions.starter()
                            .start(
                                    PodDefinition.of(tree),
                                    actions.record(definition),
                                    sandbox.id(),
                                    container,
                                    attempt,
                                    volumes);
            workerState = workerState.started(name);
            if (actions.postStart(definition, name, id).isPresent()) {
                services.runtime().stopContainer(id, definition.grace());
            }
        } catch (InvalidContainerException e) {
            recordFailure(name, e.reason(), String.valueOf(e.getMessage()));
        } catch (RuntimeFailure | VolumeException | InvalidPathException e) {
            recordFailure(name, "CreateContainerError", String.valueOf(e.getMessage()));
        }
    }

    private void recordFailure(String container, String reason, String message) {
        workerState = workerState.failed(container, reason, message, services.clock().instant());
    }

    private void stop(PodDefinition definition, PodAction.Stop stop) {
        stopping.put(stop.id(), stop.by());
        var stopper =
                Thread.ofVirtual().name("stop-" + stop.id()).start(() -> runStop(definition, stop));
        stoppers.put(stop.id(), stopper);
    }

    private void runStop(PodDefinition definition, PodAction.Stop stop) {
        try {
            actions.stop(definition, stop);
        } catch (RuntimeFailure e) {
            services.events()
                    .record(
                            definition.tree(),
                            true,
                            "FailedKillPod",
                            "error killing pod: " + e.getMessage());
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        } finally {
            // The runtime status shows whether it has terminated; if not, the stop is retried.
            services.statusCache().refresh();
            stopping.remove(stop.id(), stop.by());
            stoppers.remove(stop.id(), Thread.currentThread());
            wake();
        }
    }

    /// Refreshes volumes of running pods, so that changed ConfigMaps and Secrets reach them.
    private void refreshVolumes(PodDefinition definition, Instant now) {
        if (workerState.isMounted()
                && volumesFreshUntil.isBefore(now)
                && !definition.isTerminating()) {
            volumesFreshUntil = now.plus(VOLUME_REFRESH);
            try {
                var _ = services.volumes().mount(definition);
            } catch (VolumeException e) {
                services.events()
                        .record(
                                definition.tree(),
                                true,
                                "FailedMount",
                                String.valueOf(e.getMessage()));
            }
        }
    }

    @Override
    public void close() {
        thread.interrupt();
        stoppers.values().forEach(Thread::interrupt);
        try {
            thread.join(RETRY_DELAY);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
