package dev.berth.drivers.sim;

import dev.berth.client.Cluster;
import dev.berth.client.Request;
import dev.berth.client.ResourcePath;
import dev.berth.client.cache.ObjectCache;
import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.codec.Kinds;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/// Performs fleet tasks. Each returns the time of its next run, if there is one.
final class FleetTasks {

    private static final int MAX_WARNED = 10_000;
    private static final Duration CLAIM_RETRY = Duration.ofSeconds(1);

    private static final ResourcePath PODS = ResourcePath.of(Kinds.POD);
    private static final ResourcePath CLAIMS = ResourcePath.of(Kinds.RESOURCE_CLAIM);

    /// The simulated nodes and the caches of observed objects.
    record FleetState(
            FleetMembers members,
            ObjectCache<JsonObject> nodes,
            ObjectCache<JsonObject> pods,
            ObjectCache<JsonObject> claims) {}

    private final FleetOptions options;
    private final FleetState state;
    private final NodeTasks nodeTasks;
    private final SimulatorWrites writes;
    private final SimulatedNodeEvents events;
    private final Set<String> warned = ConcurrentHashMap.newKeySet();
    private final ActiveFaults faults;
    private final DeviceReports reports;
    private final Map<String, AtomicInteger> podsStarted = new ConcurrentHashMap<>();

    FleetTasks(
            Cluster cluster,
            FleetOptions options,
            FleetState state,
            SimulatedSlicePublisher publisher,
            ActiveFaults faults,
            SimulatedNodeEvents events) {
        this.options = options;
        this.state = state;
        this.nodeTasks = new NodeTasks(cluster, options, state, publisher, faults, events);
        this.writes = new SimulatorWrites(cluster);
        this.events = events;
        this.faults = faults;
        this.reports =
                new DeviceReports(
                        device -> state.members().owns(device.poolId()),
                        device -> faults.all().isUnattachable(device),
                        options.attachDelay());
    }

    void onNewProfile(Consumer<HardwareProfile> action) {
        nodeTasks.onNewProfile(action);
    }

    /// @param enqueue enqueues follow-up tasks
    Optional<Instant> perform(FleetTask task, Instant now, BiConsumer<FleetTask, Instant> enqueue) {
        return switch (task) {
            case FleetTask.Register(var node) -> nodeTasks.register(node, now, enqueue);
            case FleetTask.Renew(var node) -> nodeTasks.renew(node, now);
            case FleetTask.Publish(var node) -> nodeTasks.publish(node, now);
            case FleetTask.PublishShared _ -> nodeTasks.publishShared(now);
            case FleetTask.Discard(var node) -> nodeTasks.discard(node, now);
            case FleetTask.Reject(var node) -> nodeTasks.reject(node, now);
            case FleetTask.RunPod(var pod) -> run(pod, now);
            case FleetTask.WriteEvents _ -> events.write(now);
            case FleetTask.Attach(var claim) -> attach(claim, now);
        };
    }

    private Optional<Instant> run(ObjectRef ref, Instant now) {
        var found = state.pods().find(ref);
        if (found.isEmpty()) {
            return Optional.empty();
        }
        var pod = found.get();
        var node = pod.objectOrEmpty("spec").text("nodeName");
        if (!state.members().has(node) || faults.all().isSilent(node)) {
            return Optional.empty();
        }
        if (SimulatedPodLifecycle.isWaitingToStart(pod)
                && !SimulatedPodClaims.areReady(pod, state.claims()::find)) {
            return Optional.of(now.plus(CLAIM_RETRY));
        }
        if (SimulatedPodLifecycle.isWaitingToStart(pod)) {
            var error = prepareError(pod);
            if (error.isPresent()) {
                events.prepareFailed(node, pod, error.get());
                return Optional.of(now.plus(CLAIM_RETRY));
            }
        }
        warn(pod);
        return switch (SimulatedPodLifecycle.next(pod, location(node, pod), now)) {
            case SimulatedPodLifecycle.Next.Nothing _ -> Optional.empty();
            case SimulatedPodLifecycle.Next.Wait(var until) -> Optional.of(until);
            case SimulatedPodLifecycle.Next.Remove _ -> {
                events.stopping(node, pod);
                yield writes.delete(PODS, pod, now);
            }
            case SimulatedPodLifecycle.Next.Report(var status, var until) -> {
                var retry = report(pod, status, now);
                if (retry.isEmpty() && SimulatedPodLifecycle.isWaitingToStart(pod)) {
                    events.started(node, pod);
                }
                yield retry.isPresent()
                        ? retry
                        : wasDeletedMeanwhile(pod) ? Optional.of(now) : until;
            }
        };
    }

    /// Records a Warning event for each invalid annotation.
    private void warn(JsonObject pod) {
        for (var problem : PodAnnotations.of(pod).problems()) {
            if (warned.size() > MAX_WARNED) {
                warned.clear();
            }
            if (warned.add(JsonMetadata.uid(pod) + problem)) {
                events.warn("Pod", pod, "InvalidSimulationAnnotation", problem);
            }
        }
    }

    private Optional<String> prepareError(JsonObject pod) {
        var faultSet = faults.all();
        return faultSet.faults().isEmpty()
                ? Optional.empty()
                : SimulatedPodClaims.devices(pod, state.claims()::find).stream()
                        .flatMap(device -> faultSet.prepareError(device).stream())
                        .findFirst();
    }

    /// The start delay of a pod: drivers prepare its devices one after the other.
    private Duration startDelay(JsonObject pod) {
        var faultSet = faults.all();
        return faultSet.faults().isEmpty()
                ? options.startDelay()
                : SimulatedPodClaims.devices(pod, state.claims()::find).stream()
                        .map(faultSet::prepareDelay)
                        .reduce(options.startDelay(), Duration::plus);
    }

    /// Whether the pod was deleted during our status write. The response contained the deletion
    /// timestamp, so the watch event with the same version is ignored as old.
    private boolean wasDeletedMeanwhile(JsonObject before) {
        return !isTerminating(before)
                && state.pods()
                        .find(JsonMetadata.ref(before))
                        .filter(FleetTasks::isTerminating)
                        .isPresent();
    }

    private static boolean isTerminating(JsonObject pod) {
        return pod.objectOrEmpty("metadata").has("deletionTimestamp");
    }

    private SimulatedPodLifecycle.Location location(String node, JsonObject pod) {
        var known = pod.objectOrEmpty("status").string("podIP");
        var host = NodeObjects.hostAddress(state.members().number(node));
        var isOnHost = pod.objectOrEmpty("spec").flag("hostNetwork").orElse(false);
        return new SimulatedPodLifecycle.Location(
                host, known.orElseGet(() -> isOnHost ? host : nextAddress(node)), startDelay(pod));
    }

    private String nextAddress(String node) {
        var started = podsStarted.computeIfAbsent(node, _ -> new AtomicInteger());
        return NodeObjects.podAddress(state.members().number(node), started.getAndIncrement());
    }

    private Optional<Instant> report(JsonObject pod, JsonObject status, Instant now) {
        var ref = JsonMetadata.ref(pod);
        // The UID prevents a new pod of the same name from getting this status.
        var change =
                JsonObject.of("metadata", JsonObject.of("uid", Json.of(JsonMetadata.uid(pod))))
                        .with("status", status);
        var outcome =
                writes.patch(
                        PODS,
                        ref.namespace(),
                        ref.name(),
                        "status",
                        Request.PatchType.STRATEGIC,
                        change);
        return SimulatorWrites.retryOrCache(outcome, state.pods(), now);
    }

    private Optional<Instant> attach(ObjectRef ref, Instant now) {
        var claim = state.claims().find(ref);
        if (claim.isEmpty()) {
            return Optional.empty();
        }
        return switch (reports.next(claim.get(), now)) {
            case DeviceReports.Next.Nothing _ -> Optional.empty();
            case DeviceReports.Next.Wait(var until) -> Optional.of(until);
            case DeviceReports.Next.Report(var devices) -> {
                var version = claim.get().objectOrEmpty("metadata").text("resourceVersion");
                var change =
                        JsonObject.of(
                                        "metadata",
                                        JsonObject.of("resourceVersion", Json.of(version)))
                                .with("status", JsonObject.of("devices", devices));
                yield SimulatorWrites.retryOrCache(
                        writes.patch(
                                CLAIMS,
                                ref.namespace(),
                                ref.name(),
                                "status",
                                Request.PatchType.MERGE,
                                change),
                        state.claims(),
                        now);
            }
        };
    }
}
