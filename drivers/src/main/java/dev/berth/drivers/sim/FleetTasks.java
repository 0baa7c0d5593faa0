package dev.berth.drivers.sim;

import dev.berth.client.Cluster;
import dev.berth.client.Request;
import dev.berth.client.ResourcePath;
import dev.berth.model.api.ObjectRef;
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

/// How chores are done. Each answers when to look again, if it knows.
final class FleetTasks {

    private static final int MOST_WARNED = 10_000;
    private static final Duration CLAIM_RETRY = Duration.ofSeconds(1);

    private static final ResourcePath PODS = ResourcePath.of(Kinds.POD);
    private static final ResourcePath CLAIMS = ResourcePath.of(Kinds.RESOURCE_CLAIM);

    /// The members, and the objects of the cluster as they were last seen.
    record World(
            FleetMembers members,
            ObservedObjects nodes,
            ObservedObjects pods,
            ObservedObjects claims) {}

    private final FleetOptions options;
    private final World world;
    private final NodeTasks ofNodes;
    private final SimulatorWrites writes;
    private final SimEvents events;
    private final Set<String> warned = ConcurrentHashMap.newKeySet();
    private final ActiveFaults faults;
    private final DeviceReports reports;
    private final Map<String, AtomicInteger> podsStarted = new ConcurrentHashMap<>();

    FleetTasks(
            Cluster cluster,
            FleetOptions options,
            World world,
            SimulatedSlicePublisher publisher,
            ActiveFaults faults) {
        this.options = options;
        this.world = world;
        this.ofNodes = new NodeTasks(cluster, options, world, publisher, faults);
        this.writes = new SimulatorWrites(cluster);
        this.events = new SimEvents(cluster);
        this.faults = faults;
        this.reports =
                new DeviceReports(
                        device -> world.members().owns(device.poolId()),
                        device -> faults.all().isUnattachable(device),
                        options.attachDelay(),
                        options.reportsDevices());
    }

    void onNewProfile(Consumer<HardwareProfile> action) {
        ofNodes.onNewProfile(action);
    }

    /// @param more takes chores that follow from this one
    Optional<Instant> perform(FleetTask chore, Instant now, BiConsumer<FleetTask, Instant> more) {
        return switch (chore) {
            case FleetTask.Register(var node) -> ofNodes.register(node, now, more);
            case FleetTask.Renew(var node) -> ofNodes.renew(node, now);
            case FleetTask.Publish(var node) -> ofNodes.publish(node, now);
            case FleetTask.PublishShared _ -> ofNodes.publishShared(now);
            case FleetTask.Discard(var node) -> ofNodes.discard(node, now);
            case FleetTask.Reject(var node) -> ofNodes.reject(node, now);
            case FleetTask.RunPod(var pod) -> run(pod, now);
            case FleetTask.Attach(var claim) -> attach(claim, now);
        };
    }

    private Optional<Instant> run(ObjectRef ref, Instant now) {
        var found = world.pods().find(ref);
        if (found.isEmpty()) {
            return Optional.empty();
        }
        var pod = found.get();
        var node = pod.objectOrEmpty("spec").text("nodeName");
        if (!world.members().has(node) || faults.all().isSilent(node)) {
            return Optional.empty();
        }
        if (SimulatedPodLifecycle.isWaitingToStart(pod)
                && !SimulatedPodClaims.areReady(pod, world.claims()::find)) {
            return Optional.of(now.plus(CLAIM_RETRY));
        }
        if (SimulatedPodLifecycle.isWaitingToStart(pod) && cannotBePrepared(pod)) {
            return Optional.of(now.plus(CLAIM_RETRY));
        }
        warn(pod, now);
        return switch (SimulatedPodLifecycle.next(pod, place(node, pod), now)) {
            case SimulatedPodLifecycle.Next.Nothing _ -> Optional.empty();
            case SimulatedPodLifecycle.Next.Wait(var until) -> Optional.of(until);
            case SimulatedPodLifecycle.Next.Remove _ -> writes.deleted(PODS, pod, now);
            case SimulatedPodLifecycle.Next.Report(var status, var until) -> {
                var retry = report(pod, status, now);
                yield retry.isPresent() ? retry : isLeavingSince(pod) ? Optional.of(now) : until;
            }
        };
    }

    /// Writes an event for each annotation that has no effect.
    private void warn(JsonObject pod, Instant now) {
        for (var problem : PodAnnotations.of(pod).problems()) {
            if (warned.size() > MOST_WARNED) {
                warned.clear();
            }
            if (warned.add(ObservedObjects.uid(pod) + problem)) {
                events.warn("Pod", pod, "InvalidSimulationAnnotation", problem, now);
            }
        }
    }

    private boolean cannotBePrepared(JsonObject pod) {
        var sheet = faults.all();
        return !sheet.faults().isEmpty()
                && SimulatedPodClaims.devices(pod, world.claims()::find).stream()
                        .anyMatch(device -> sheet.refusal(device).isPresent());
    }

    /// How long it takes to start a pod: drivers prepare one device after the other.
    private Duration startDelay(JsonObject pod) {
        var sheet = faults.all();
        return sheet.faults().isEmpty()
                ? options.startDelay()
                : SimulatedPodClaims.devices(pod, world.claims()::find).stream()
                        .map(sheet::slowness)
                        .reduce(options.startDelay(), Duration::plus);
    }

    /// Whether somebody has deleted the pod while we wrote. The answer said so, and what it said is
    /// no news any more when the cluster tells of it.
    private boolean isLeavingSince(JsonObject before) {
        return !isLeaving(before)
                && world.pods()
                        .find(ObservedObjects.ref(before))
                        .filter(FleetTasks::isLeaving)
                        .isPresent();
    }

    private static boolean isLeaving(JsonObject pod) {
        return pod.objectOrEmpty("metadata").has("deletionTimestamp");
    }

    private SimulatedPodLifecycle.Place place(String node, JsonObject pod) {
        var known = pod.objectOrEmpty("status").string("podIP");
        var host = NodeObjects.hostAddress(world.members().number(node));
        var isOnHost = pod.objectOrEmpty("spec").flag("hostNetwork").orElse(false);
        return new SimulatedPodLifecycle.Place(
                host, known.orElseGet(() -> isOnHost ? host : nextAddress(node)), startDelay(pod));
    }

    private String nextAddress(String node) {
        var started = podsStarted.computeIfAbsent(node, _ -> new AtomicInteger());
        return NodeObjects.podAddress(world.members().number(node), started.getAndIncrement());
    }

    private Optional<Instant> report(JsonObject pod, JsonObject status, Instant now) {
        var ref = ObservedObjects.ref(pod);
        // The uid makes sure that a new pod of the same name does not get this one's status.
        var change =
                JsonObject.of("metadata", JsonObject.of("uid", Json.of(ObservedObjects.uid(pod))))
                        .with("status", status);
        var outcome =
                writes.patch(
                        PODS,
                        ref.namespace(),
                        ref.name(),
                        "status",
                        Request.PatchType.STRATEGIC,
                        change);
        return SimulatorWrites.noted(outcome, world.pods(), now);
    }

    private Optional<Instant> attach(ObjectRef ref, Instant now) {
        var claim = world.claims().find(ref);
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
                yield SimulatorWrites.noted(
                        writes.patch(
                                CLAIMS,
                                ref.namespace(),
                                ref.name(),
                                "status",
                                Request.PatchType.MERGE,
                                change),
                        world.claims(),
                        now);
            }
        };
    }
}
