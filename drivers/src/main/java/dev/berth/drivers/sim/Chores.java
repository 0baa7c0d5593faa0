package dev.berth.drivers.sim;

import dev.berth.client.Address;
import dev.berth.client.Cluster;
import dev.berth.client.Outcome;
import dev.berth.client.Request;
import dev.berth.core.publish.DesiredPool;
import dev.berth.model.api.ObjectRef;
import dev.berth.model.api.PoolId;
import dev.berth.model.codec.Kinds;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// How chores are done. Each answers when to look again, if it knows.
final class Chores {

    static final Duration LONG_RETRY = Duration.ofSeconds(10);

    private static final Duration SHORT_RETRY = Duration.ofMillis(100);
    private static final Duration CLAIM_RETRY = Duration.ofSeconds(1);

    private static final Logger LOG = LoggerFactory.getLogger(Chores.class);

    private static final Address NODES = Address.of(Kinds.NODE);
    private static final Address PODS = Address.of(Kinds.POD);
    private static final Address CLAIMS = Address.of(Kinds.RESOURCE_CLAIM);

    /// What there is.
    ///
    /// @param pools of all members and of none
    record World(
            Map<String, SimulatedFleet.Member> members,
            List<DesiredPool> shared,
            Set<PoolId> pools,
            Seen nodes,
            Seen pods,
            Seen claims) {}

    private final Cluster cluster;
    private final FleetOptions options;
    private final World world;
    private final SlicePublisher publisher;
    private final Faults faults;
    private final DeviceReports reports;
    private final Map<String, AtomicInteger> podsStarted = new ConcurrentHashMap<>();

    Chores(
            Cluster cluster,
            FleetOptions options,
            World world,
            SlicePublisher publisher,
            Faults faults) {
        this.cluster = cluster;
        this.options = options;
        this.world = world;
        this.publisher = publisher;
        this.faults = faults;
        this.reports =
                new DeviceReports(
                        device -> world.pools().contains(device.poolId()),
                        device -> faults.all().isUnattachable(device),
                        options.attachDelay(),
                        options.reportsDevices());
    }

    /// @param more takes chores that follow from this one
    Optional<Instant> perform(Chore chore, Instant now, BiConsumer<Chore, Instant> more) {
        return switch (chore) {
            case Chore.Register(var node) -> register(node, now, more);
            case Chore.Renew(var node) -> renew(node, now);
            case Chore.Publish(var node) -> publish(node, now);
            case Chore.PublishShared _ ->
                    retried(publisher.publish(seen(world.shared())), "shared slices", now);
            case Chore.Discard(var node) -> discard(node, now);
            case Chore.RunPod(var pod) -> run(pod, now);
            case Chore.Attach(var claim) -> attach(claim, now);
        };
    }

    private Optional<Instant> register(String name, Instant now, BiConsumer<Chore, Instant> more) {
        var member = world.members().get(name);
        if (member == null || faults.all().isSilent(name)) {
            return Optional.empty();
        }
        var node = world.nodes().find(new ObjectRef("", name));
        if (node.isEmpty()) {
            var fresh = NodeObjects.node(member.shape(), member.number(), now);
            return noted(cluster.send(Request.Create.of(NODES, "", fresh)), world.nodes(), now)
                    .or(() -> Optional.of(now));
        }
        more.accept(new Chore.Renew(name), now);
        more.accept(new Chore.Publish(name), now);
        if (NodeObjects.isTrue(node.get(), member.shape())) {
            return Optional.empty();
        }
        // Who says that it is ready must be heard of first, or the opposite is said again at once.
        renew(name, now).ifPresent(at -> more.accept(new Chore.Renew(name), at));
        var labels =
                JsonObject.of(
                        "metadata", JsonObject.of("labels", NodeObjects.labels(member.shape())));
        var labelled = send(patch(NODES, "", name, "", Request.Style.MERGE, labels));
        if (!labelled.isDone()) {
            return noted(labelled, world.nodes(), now);
        }
        var status =
                JsonObject.of("status", NodeObjects.status(member.shape(), member.number(), now));
        return noted(
                send(patch(NODES, "", name, "status", Request.Style.STRATEGIC, status)),
                world.nodes(),
                now);
    }

    private Optional<Instant> renew(String name, Instant now) {
        var node = world.nodes().find(new ObjectRef("", name));
        if (node.isEmpty() || faults.all().isSilent(name)) {
            return Optional.empty();
        }
        var spec = JsonObject.of("spec", NodeObjects.leaseSpec(name, options.heartbeat(), now));
        var outcome =
                send(
                        patch(
                                Address.LEASES,
                                NodeObjects.LEASE_NAMESPACE,
                                name,
                                "",
                                Request.Style.MERGE,
                                spec));
        if (outcome instanceof Outcome.Missing) {
            var lease = NodeObjects.lease(name, Seen.uid(node.get()), options.heartbeat(), now);
            outcome = send(Request.Create.of(Address.LEASES, NodeObjects.LEASE_NAMESPACE, lease));
        }
        return outcome.isDone()
                ? Optional.of(now.plus(options.heartbeat()))
                : retried(Optional.of(outcome), "lease of " + name, now);
    }

    private Optional<Instant> publish(String name, Instant now) {
        var member = world.members().get(name);
        var node = world.nodes().find(new ObjectRef("", name));
        if (member == null || node.isEmpty() || faults.all().isSilent(name)) {
            return Optional.empty();
        }
        var pools = seen(member.shape().pools());
        return retried(
                publisher.publish(name, Seen.uid(node.get()), pools), "slices of " + name, now);
    }

    private List<DesiredPool> seen(List<DesiredPool> pools) {
        return pools.stream().map(faults.all()::seen).toList();
    }

    private Optional<Instant> discard(String name, Instant now) {
        var node = world.nodes().find(new ObjectRef("", name));
        return node.isEmpty() ? Optional.empty() : deleted(NODES, node.get(), now);
    }

    private Optional<Instant> run(ObjectRef ref, Instant now) {
        var found = world.pods().find(ref);
        if (found.isEmpty()) {
            return Optional.empty();
        }
        var pod = found.get();
        var node = pod.objectOrEmpty("spec").text("nodeName");
        var member = world.members().get(node);
        if (member == null || faults.all().isSilent(node)) {
            return Optional.empty();
        }
        if (PodLife.isWaitingToStart(pod) && !PodClaims.areReady(pod, world.claims()::find)) {
            return Optional.of(now.plus(CLAIM_RETRY));
        }
        if (PodLife.isWaitingToStart(pod) && cannotBePrepared(pod)) {
            return Optional.of(now.plus(CLAIM_RETRY));
        }
        return switch (PodLife.next(pod, place(member, pod), now)) {
            case PodLife.Next.Nothing _ -> Optional.empty();
            case PodLife.Next.Wait(var until) -> Optional.of(until);
            case PodLife.Next.Remove _ -> deleted(PODS, pod, now);
            case PodLife.Next.Report(var status, var until) -> {
                var retry = report(pod, status, now);
                yield retry.isPresent() ? retry : isLeavingSince(pod) ? Optional.of(now) : until;
            }
        };
    }

    private boolean cannotBePrepared(JsonObject pod) {
        var sheet = faults.all();
        return !sheet.faults().isEmpty()
                && PodClaims.devices(pod, world.claims()::find).stream()
                        .anyMatch(device -> sheet.refusal(device).isPresent());
    }

    /// How long it takes to start a pod: drivers prepare one device after the other.
    private Duration startDelay(JsonObject pod) {
        var sheet = faults.all();
        return sheet.faults().isEmpty()
                ? options.startDelay()
                : PodClaims.devices(pod, world.claims()::find).stream()
                        .map(sheet::slowness)
                        .reduce(options.startDelay(), Duration::plus);
    }

    /// Whether somebody has deleted the pod while we wrote. The answer said so, and what it said is
    /// no news any more when the cluster tells of it.
    private boolean isLeavingSince(JsonObject before) {
        return !isLeaving(before)
                && world.pods().find(Seen.ref(before)).filter(Chores::isLeaving).isPresent();
    }

    private static boolean isLeaving(JsonObject pod) {
        return pod.objectOrEmpty("metadata").has("deletionTimestamp");
    }

    private PodLife.Place place(SimulatedFleet.Member member, JsonObject pod) {
        var known = pod.objectOrEmpty("status").string("podIP");
        var host = NodeObjects.hostAddress(member.number());
        var isOnHost = pod.objectOrEmpty("spec").flag("hostNetwork").orElse(false);
        return new PodLife.Place(
                host,
                known.orElseGet(() -> isOnHost ? host : nextAddress(member)),
                startDelay(pod));
    }

    private String nextAddress(SimulatedFleet.Member member) {
        var started = podsStarted.computeIfAbsent(member.shape().name(), _ -> new AtomicInteger());
        return NodeObjects.podAddress(member.number(), started.getAndIncrement());
    }

    private Optional<Instant> report(JsonObject pod, JsonObject status, Instant now) {
        var ref = Seen.ref(pod);
        // The uid makes sure that a new pod of the same name does not get this one's status.
        var change =
                JsonObject.of("metadata", JsonObject.of("uid", Json.of(Seen.uid(pod))))
                        .with("status", status);
        var outcome =
                send(
                        patch(
                                PODS,
                                ref.namespace(),
                                ref.name(),
                                "status",
                                Request.Style.STRATEGIC,
                                change));
        return noted(outcome, world.pods(), now);
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
                yield noted(
                        send(
                                patch(
                                        CLAIMS,
                                        ref.namespace(),
                                        ref.name(),
                                        "status",
                                        Request.Style.MERGE,
                                        change)),
                        world.claims(),
                        now);
            }
        };
    }

    private Optional<Instant> deleted(Address address, JsonObject object, Instant now) {
        var ref = Seen.ref(object);
        var outcome =
                send(
                        new Request.Delete(
                                address,
                                ref.namespace(),
                                ref.name(),
                                Optional.of(Seen.uid(object)),
                                OptionalLong.of(0)));
        return outcome.isDone() ? Optional.empty() : retry(outcome, ref.toString(), now);
    }

    private Outcome send(Request request) {
        return cluster.send(request);
    }

    private static Request patch(
            Address address,
            String namespace,
            String name,
            String subresource,
            Request.Style style,
            JsonObject change) {
        return new Request.Patch(address, namespace, name, subresource, style, change);
    }

    /// Takes note of what was answered; when to try again if it did not work.
    private static Optional<Instant> noted(Outcome outcome, Seen seen, Instant now) {
        if (outcome instanceof Outcome.Done(var object)) {
            seen.remember(object);
            return Optional.empty();
        }
        return retry(outcome, "a write", now);
    }

    private static Optional<Instant> retried(Optional<Outcome> failure, String what, Instant now) {
        return failure.flatMap(outcome -> retry(outcome, what, now));
    }

    private static Optional<Instant> retry(Outcome outcome, String what, Instant now) {
        return switch (outcome) {
            // Whoever is gone is told of by the cluster, and then there is nothing left to do.
            case Outcome.Done _, Outcome.Missing _ -> Optional.empty();
            case Outcome.Conflict _, Outcome.Exists _, Outcome.Unavailable _ ->
                    Optional.of(now.plus(SHORT_RETRY));
            case Outcome.Refused refused -> {
                LOG.warn("{} was refused: {}", what, refused.message());
                yield Optional.of(now.plus(LONG_RETRY));
            }
        };
    }
}
