package dev.berth.control.schedule;

import dev.berth.client.Cluster;
import dev.berth.client.ResourcePath;
import dev.berth.core.admission.gate.Gate;
import dev.berth.core.allocate.AllocatorStatistics;
import dev.berth.core.place.ClaimResolver;
import dev.berth.core.place.ClusterEvent;
import dev.berth.core.place.PlacementFeatures;
import dev.berth.core.schedule.BindingRules;
import dev.berth.core.schedule.SchedulingQueue;
import dev.berth.core.snapshot.ClusterSnapshot;
import dev.berth.model.api.meta.KubernetesObject;
import dev.berth.model.codec.Codec;
import dev.berth.model.codec.Kind;
import dev.berth.model.codec.Kinds;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/// The parts of one scheduler and their connections. Belongs to the scheduler's thread.
final class SchedulerCore {

    private static final ResourcePath NAMESPACES = new ResourcePath("", "v1", "namespaces");

    /// Interval of periodic checks.
    private static final Duration PERIOD = Duration.ofSeconds(1);

    private final SchedulerOptions options;
    private final StepTime time = new StepTime();
    private final SchedulingQueue queue;
    private final PodBindings bindings = new PodBindings();
    private final ClusterView view;
    private final PendingPodReporter reporter;
    private final QueueAdmission admission;
    private final BindingPipeline pipeline;
    private final SchedulingLoop loop;
    private final SchedulerProfiles profiles;
    private Instant lastPeriodicRun = Instant.EPOCH;

    SchedulerCore(
            Cluster cluster,
            Clock clock,
            SchedulerOptions options,
            EventSink events,
            SchedulerObserver observer,
            Consumer<Runnable> inbox) {
        this.options = options;
        queue = new SchedulingQueue(observer);
        var gates = options.gates();
        var features = PlacementFeatures.of(gates);
        var taskRunner = TaskRunner.of(options.writeMode());
        var codec = new Codec();
        var claims = new ClaimWriter(cluster, codec, taskRunner, options.metrics());
        var pods = new PodWriter(cluster, codec);
        var volumes = new VolumeWriter(cluster, taskRunner);
        view = new ClusterView(ClusterSnapshot.empty(PlacementFeatures.rules(features)));
        var claimSources = new ClaimSourceReader(cluster, codec);
        reporter =
                new PendingPodReporter(
                        pods, claimSources, events, features, options, taskRunner, clock);
        var claimResolver =
                ClaimResolver.awaiting(
                        view::claim, view::group, SchedulerOptions.groupsOwnClaims(gates));
        profiles = new SchedulerProfiles(options, claimResolver, observer.pluginTimer());
        var failedPods = new FailedPods(queue, view, reporter, time);
        admission = new QueueAdmission(queue, profiles, claimResolver, view, bindings, time);
        var binding =
                new BindingPipeline.Services(
                        new BindingWriter(claims, pods, volumes),
                        taskRunner,
                        inbox,
                        time,
                        events,
                        admission,
                        failedPods,
                        profiles,
                        observer);
        pipeline = new BindingPipeline(bindingRules(options), binding, view, bindings);
        loop =
                new SchedulingLoop(
                        new SchedulingLoop.Services(
                                queue,
                                admission,
                                failedPods,
                                profiles,
                                view,
                                bindings,
                                pipeline,
                                reporter,
                                claims,
                                taskRunner,
                                time,
                                observer));
    }

    private static BindingRules bindingRules(SchedulerOptions options) {
        return new BindingRules(
                options.gates().enabled(Gate.DRA_DEVICE_BINDING_CONDITIONS),
                options.bindingTimeout());
    }

    /// The kinds to watch, pods first.
    List<WatchedKind<?>> kinds() {
        var kinds = new ArrayList<WatchedKind<?>>();
        kinds.add(
                WatchedKind.required(
                        Kinds.POD,
                        new KindView<>(
                                new ClusterKindRules.Pods(
                                        view, this::onClusterEvent, admission, pipeline),
                                view.pods())));
        kinds.add(required(Kinds.NODE, new ClusterKindRules.Nodes(view, this::onClusterEvent)));
        kinds.addAll(deviceKinds());
        kinds.add(
                WatchedKind.required(
                        Kinds.RESOURCE_CLAIM,
                        new KindView<>(
                                new ClusterKindRules.Claims(
                                        view, this::onClusterEvent, admission, bindings, pipeline),
                                view.claims())));
        if (SchedulerOptions.groupsOwnClaims(options.gates())) {
            kinds.add(required(Kinds.POD_GROUP, new ClusterKindRules.PodGroups(view, admission)));
        }
        kinds.addAll(optionalKinds());
        return kinds;
    }

    private List<WatchedKind<?>> deviceKinds() {
        var gates = options.gates();
        var slices =
                new DeviceKindRules.Slices(
                        view,
                        this::onClusterEvent,
                        gates.enabled(Gate.DRA_NODE_ALLOCATABLE_RESOURCES));
        var kinds = new ArrayList<WatchedKind<?>>();
        kinds.add(
                required(
                        Kinds.DEVICE_CLASS,
                        new DeviceKindRules.Classes(view, this::onClusterEvent)));
        kinds.add(required(Kinds.RESOURCE_SLICE, slices));
        if (gates.enabled(Gate.DRA_DEVICE_TAINT_RULES)) {
            kinds.add(
                    required(
                            Kinds.DEVICE_TAINT_RULE,
                            new DeviceKindRules.TaintRules(view, this::onClusterEvent)));
        }
        return kinds;
    }

    /// Kinds without which pods that do not need them are still scheduled.
    private List<WatchedKind<?>> optionalKinds() {
        var namespaces = new NamespaceKindRules(view, this::onClusterEvent);
        var storage = new StorageKindRules(view, this::onClusterEvent);
        return List.of(
                WatchedKind.optional(NAMESPACES, new KindView<>(namespaces), namespaces::forget),
                WatchedKind.optional(
                        Kinds.STORAGE_CLASS,
                        new KindView<>(storage.classes()),
                        () -> storage.forget(Kinds.STORAGE_CLASS)),
                WatchedKind.optional(
                        Kinds.PERSISTENT_VOLUME,
                        new KindView<>(storage.volumes()),
                        () -> storage.forget(Kinds.PERSISTENT_VOLUME)),
                WatchedKind.optional(
                        Kinds.PERSISTENT_VOLUME_CLAIM,
                        new KindView<>(storage.claims()),
                        () -> storage.forget(Kinds.PERSISTENT_VOLUME_CLAIM)));
    }

    private static <T extends KubernetesObject> WatchedKind<T> required(
            Kind<T> kind, KindRules<?, T> rules) {
        return WatchedKind.required(kind, new KindView<>(rules));
    }

    private void onClusterEvent(ClusterEvent event) {
        queue.requeue(event, time.now());
        if (event == ClusterEvent.VOLUMES) {
            pipeline.volumesSeen();
        }
    }

    PendingPodReporter reporter() {
        return reporter;
    }

    void advanceTo(Instant now) {
        time.advanceTo(now);
    }

    /// Periodic work, once the first lists are complete.
    void runPeriodicTasks() {
        if (!lastPeriodicRun.plus(PERIOD).isAfter(time.now())) {
            lastPeriodicRun = time.now();
            pipeline.advance();
            admission.reportGated(reporter);
        }
    }

    /// Schedules the next pod. Returns false when there is none.
    boolean decideNext() {
        return loop.decideNext();
    }

    /// The next time at which there is work without new messages.
    Optional<Instant> nextTime() {
        return queue.nextTime();
    }

    /// The work of the allocators of all profiles so far. Callable by any thread.
    List<AllocatorStatistics> allocatorStatistics() {
        return profiles.allocatorStatistics();
    }

    Scheduler.Status status() {
        return new Scheduler.Status(
                queue.depths(), bindings.size(), pipeline.bound(), loop.decisions());
    }

    DurationHistogram decisionTimes() {
        return loop.decisionTimes();
    }
}
