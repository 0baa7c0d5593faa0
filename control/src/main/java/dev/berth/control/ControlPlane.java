package dev.berth.control;

import dev.berth.client.Cluster;
import dev.berth.client.cache.ObjectCache;
import dev.berth.client.event.EventRecorder;
import dev.berth.control.claims.ResourceClaimController;
import dev.berth.control.claims.ResourceClaimMetrics;
import dev.berth.control.devices.DeviceTaintEvictionController;
import dev.berth.control.devices.ResourcePoolStatusController;
import dev.berth.control.disruption.DisruptionController;
import dev.berth.control.loop.ClaimCreateMetrics;
import dev.berth.control.loop.SharedCaches;
import dev.berth.control.nodes.NodeGarbageCollector;
import dev.berth.control.nodes.NodeLifecycleController;
import dev.berth.control.nodes.PodGarbageCollector;
import dev.berth.control.volumes.PersistentVolumeController;
import dev.berth.control.workloads.DeploymentController;
import dev.berth.control.workloads.JobController;
import dev.berth.control.workloads.ReplicaSetController;
import dev.berth.core.admission.gate.FeatureGates;
import dev.berth.core.admission.gate.Gate;
import dev.berth.core.lifecycle.GarbageRules;
import dev.berth.metrics.CallbackMetric;
import dev.berth.metrics.MetricsRegistry;
import dev.berth.metrics.WorkQueueMetrics;
import dev.berth.model.api.taint.DeviceTaintRule;
import dev.berth.model.codec.Kinds;
import dev.berth.model.workqueue.ControlLoop;
import dev.berth.model.workqueue.ControlLoopRunner;
import dev.berth.model.workqueue.WorkQueueLoop;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/// All controllers of a cluster, over one set of informer caches; the counterpart of
/// kube-controller-manager.
///
/// The controllers run on threads ([#start]), or a simulation steps them ([#startStepwise] and
/// [#step]).
public final class ControlPlane implements AutoCloseable {

    private static final int EVENT_WORKERS = 2;

    /// Which controllers to run.
    ///
    /// @param workers threads for each controller with a high load
    /// @param metrics the registry of the process
    public record Options(
            Set<Controller> controllers, FeatureGates gates, int workers, MetricsRegistry metrics) {

        private static final int DEFAULT_WORKERS = 8;

        public Options {
            controllers = Set.copyOf(controllers);
        }

        /// All controllers, for a cluster with Berth's API server.
        public static Options defaults() {
            return defaults(FeatureGates.defaults());
        }

        public static Options defaults(FeatureGates gates) {
            return new Options(
                    EnumSet.allOf(Controller.class), gates, DEFAULT_WORKERS, MetricsRegistry.off());
        }

        public Options with(Set<Controller> chosen) {
            return new Options(chosen, gates, workers, metrics);
        }

        /// The same with metrics in a registry; by default nothing is measured.
        public Options withMetrics(MetricsRegistry registry) {
            return new Options(controllers, gates, workers, registry);
        }

        /// Chosen controllers whose feature gate is on: all but [#idle].
        public Set<Controller> running() {
            var running = EnumSet.noneOf(Controller.class);
            running.addAll(controllers);
            running.removeAll(idle().keySet());
            return running;
        }

        /// Chosen controllers that do nothing because a feature gate is off, with that gate.
        public Map<Controller, Gate> idle() {
            var idle = new EnumMap<Controller, Gate>(Controller.class);
            for (var one : controllers) {
                one.gate()
                        .filter(gate -> !gates.enabled(gate))
                        .ifPresent(gate -> idle.put(one, gate));
            }
            return idle;
        }
    }

    private final Clock clock;
    private final Options options;
    private final SharedCaches caches;
    private final EventRecorder events;
    private final Map<Controller, ControlLoop> loops = new EnumMap<>(Controller.class);
    private final List<ControlLoopRunner> runners = new ArrayList<>();
    private final List<CallbackMetric.Registration> metrics = new ArrayList<>();

    public ControlPlane(Cluster cluster, Clock clock, Options options) {
        this.clock = clock;
        this.options = options;
        this.caches = new SharedCaches(cluster);
        this.events = new EventRecorder(cluster);
        for (var controller : Controller.values()) {
            if (options.running().contains(controller)) {
                loops.put(controller, create(controller, cluster));
            }
        }
        observe();
    }

    private void observe() {
        var queues = new WorkQueueMetrics(options.metrics());
        loops.forEach((controller, loop) -> {
            if (loop instanceof WorkQueueLoop<?> queue) {
                metrics.add(queues.observe(controller.id(), queue, clock));
            }
        });
        if (loops.containsKey(Controller.CLAIMS)) {
            var claims = caches.of(Kinds.RESOURCE_CLAIM);
            metrics.add(new ResourceClaimMetrics(options.metrics()).observe(claims::all));
        }
    }

    private ControlLoop create(Controller controller, Cluster cluster) {
        return switch (controller) {
            case CLAIMS ->
                    new ResourceClaimController(
                            cluster,
                            caches,
                            events,
                            options.gates(),
                            new ClaimCreateMetrics(options.metrics()),
                            clock);
            case DEVICE_TAINT_EVICTION ->
                    new DeviceTaintEvictionController(cluster, caches, rules(), events, clock);
            case POOL_STATUS -> new ResourcePoolStatusController(cluster, caches, rules());
            case SLICE_CLEANUP ->
                    new NodeGarbageCollector(
                            cluster, caches, Set.of(NodeGarbageCollector.Target.SLICES), clock);
            case GONE_NODE_PODS ->
                    new NodeGarbageCollector(
                            cluster, caches, Set.of(NodeGarbageCollector.Target.PODS), clock);
            case ENDED_PODS ->
                    new PodGarbageCollector(cluster, caches, GarbageRules.MAX_TERMINATED);
            case NODES -> new NodeLifecycleController(cluster, caches, events, clock);
            case REPLICA_SETS -> new ReplicaSetController(cluster, caches, events);
            case DEPLOYMENTS -> new DeploymentController(cluster, caches, events);
            case JOBS -> new JobController(cluster, caches, events);
            case DISRUPTION -> new DisruptionController(cluster, caches, events);
            case VOLUMES -> new PersistentVolumeController(cluster, caches);
        };
    }

    private ObjectCache<DeviceTaintRule> rules() {
        return options.gates().enabled(Gate.DRA_DEVICE_TAINT_RULES)
                ? caches.of(Kinds.DEVICE_TAINT_RULE)
                : SharedCaches.empty();
    }

    /// The event recorder that all controllers share.
    public EventRecorder events() {
        return events;
    }

    /// Starts the controllers on threads that live until this is closed.
    public void start() {
        loops.forEach((controller, loop) ->
                runners.add(
                        ControlLoopRunner.start(
                                controller.id(),
                                loop,
                                controller.isBusy() ? options.workers() : 1,
                                clock)));
        runners.add(ControlLoopRunner.start("events", events, EVENT_WORKERS, clock));
        caches.start();
    }

    /// Starts without threads: the caller runs the controllers by [#step].
    public void startStepwise() {
        caches.start();
    }

    /// Runs one step of each controller; false when nothing was due.
    public boolean step(Instant now) {
        var worked = false;
        for (var loop : loops.values()) {
            worked |= loop.step(now);
        }
        return events.step(now) || worked;
    }

    /// When the next step is due: a time in the past for now, empty until a watched object changes.
    public Optional<Instant> nextDue() {
        return Stream.concat(loops.values().stream(), Stream.of(events))
                .flatMap(loop -> loop.nextDue().stream())
                .min(Comparator.naturalOrder());
    }

    @Override
    public void close() {
        runners.forEach(ControlLoopRunner::close);
        caches.close();
        metrics.forEach(CallbackMetric.Registration::close);
    }
}
