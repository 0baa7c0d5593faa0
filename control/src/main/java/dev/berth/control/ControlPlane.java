package dev.berth.control;

import dev.berth.client.Cluster;
import dev.berth.client.cache.ObjectCache;
import dev.berth.control.claims.ResourceClaimController;
import dev.berth.control.devices.DeviceTaintEvictionController;
import dev.berth.control.devices.ResourcePoolStatusController;
import dev.berth.control.loop.ControlLoop;
import dev.berth.control.loop.ControlLoopRunner;
import dev.berth.control.loop.EventRecorder;
import dev.berth.control.loop.SharedCaches;
import dev.berth.control.nodes.NodeGarbageCollector;
import dev.berth.control.nodes.NodeLifecycleController;
import dev.berth.control.nodes.PodGarbageCollector;
import dev.berth.control.volumes.PersistentVolumeController;
import dev.berth.control.workloads.DeploymentController;
import dev.berth.control.workloads.JobController;
import dev.berth.control.workloads.ReplicaSetController;
import dev.berth.core.admission.FeatureGates;
import dev.berth.core.admission.Gate;
import dev.berth.core.lifecycle.GarbageRules;
import dev.berth.model.api.DeviceTaintRule;
import dev.berth.model.codec.Kinds;
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

/// All controllers of a cluster, over one set of mirrors.
///
/// Either threads run them ([#start] with workers), or somebody steps them ([#startStepwise] and
/// [#step]).
public final class ControlPlane implements AutoCloseable {

    private static final int EVENT_WORKERS = 2;

    /// What to run.
    ///
    /// @param workers threads for each controller that has much to do
    public record Options(Set<Controller> controllers, FeatureGates gates, int workers) {

        private static final int USUAL_WORKERS = 8;

        public Options {
            controllers = Set.copyOf(controllers);
        }

        /// Everything that our own server needs.
        public static Options own() {
            return own(FeatureGates.defaults());
        }

        public static Options own(FeatureGates gates) {
            return new Options(EnumSet.allOf(Controller.class), gates, USUAL_WORKERS);
        }

        public Options with(Set<Controller> chosen) {
            return new Options(chosen, gates, workers);
        }

        /// Those that have something to do: all that were chosen but [#idle].
        public Set<Controller> running() {
            var running = EnumSet.noneOf(Controller.class);
            running.addAll(controllers);
            running.removeAll(idle().keySet());
            return running;
        }

        /// Those that were chosen and have nothing to do, with the gate that is off.
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
    private final SharedCaches mirrors;
    private final EventRecorder events;
    private final Map<Controller, ControlLoop> loops = new EnumMap<>(Controller.class);
    private final List<ControlLoopRunner> runners = new ArrayList<>();

    public ControlPlane(Cluster cluster, Clock clock, Options options) {
        this.clock = clock;
        this.options = options;
        this.mirrors = new SharedCaches(cluster);
        this.events = new EventRecorder(cluster);
        for (var controller : Controller.values()) {
            if (options.running().contains(controller)) {
                loops.put(controller, loop(controller, cluster));
            }
        }
    }

    private ControlLoop loop(Controller controller, Cluster cluster) {
        return switch (controller) {
            case CLAIMS ->
                    new ResourceClaimController(cluster, mirrors, events, options.gates(), clock);
            case DEVICE_TAINT_EVICTION ->
                    new DeviceTaintEvictionController(cluster, mirrors, rules(), events, clock);
            case POOL_STATUS -> new ResourcePoolStatusController(cluster, mirrors, rules());
            case SLICE_CLEANUP ->
                    new NodeGarbageCollector(
                            cluster, mirrors, Set.of(NodeGarbageCollector.Sweep.SLICES), clock);
            case GONE_NODE_PODS ->
                    new NodeGarbageCollector(
                            cluster, mirrors, Set.of(NodeGarbageCollector.Sweep.PODS), clock);
            case ENDED_PODS -> new PodGarbageCollector(cluster, mirrors, GarbageRules.MAX_ENDED);
            case NODES -> new NodeLifecycleController(cluster, mirrors, events, clock);
            case REPLICA_SETS -> new ReplicaSetController(cluster, mirrors);
            case DEPLOYMENTS -> new DeploymentController(cluster, mirrors);
            case JOBS -> new JobController(cluster, mirrors);
            case VOLUMES -> new PersistentVolumeController(cluster, mirrors);
        };
    }

    private ObjectCache<DeviceTaintRule> rules() {
        return options.gates().enabled(Gate.DRA_DEVICE_TAINT_RULES)
                ? mirrors.of(Kinds.DEVICE_TAINT_RULE)
                : SharedCaches.empty();
    }

    /// Who tells people what happens, for others who have something to tell.
    public EventRecorder events() {
        return events;
    }

    /// Begins, with threads that live until this is closed.
    public void start() {
        loops.forEach((controller, loop) ->
                runners.add(
                        ControlLoopRunner.start(
                                controller.id(),
                                loop,
                                controller.isBusy() ? options.workers() : 1,
                                clock)));
        runners.add(ControlLoopRunner.start("events", events, EVENT_WORKERS, clock));
        mirrors.start();
    }

    /// Begins without threads: whoever calls [#step] does the work.
    public void startStepwise() {
        mirrors.start();
    }

    /// Lets each controller do one piece of work; false when there was nothing to do.
    public boolean step(Instant now) {
        var worked = false;
        for (var loop : loops.values()) {
            worked |= loop.step(now);
        }
        return events.step(now) || worked;
    }

    /// When there will be something to do: a time in the past for now, none until something
    /// happens.
    public Optional<Instant> nextDue() {
        return Stream.concat(loops.values().stream(), Stream.of(events))
                .flatMap(loop -> loop.nextDue().stream())
                .min(Comparator.naturalOrder());
    }

    @Override
    public void close() {
        runners.forEach(ControlLoopRunner::close);
        mirrors.close();
    }
}
