package dev.berth.drivers.sim;

import dev.berth.client.Cluster;
import dev.berth.client.Request;
import dev.berth.client.RequestResult;
import dev.berth.client.ResourcePath;
import dev.berth.core.publish.DesiredPool;
import dev.berth.model.api.ObjectRef;
import dev.berth.model.codec.Kinds;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/// The chores of simulated nodes: Node objects, Leases and ResourceSlices. Each returns when to
/// look again, if that is known.
final class NodeTasks {

    static final ResourcePath NODES = ResourcePath.of(Kinds.NODE);

    private final Cluster cluster;
    private final FleetOptions options;
    private final FleetTasks.World world;
    private final SimulatedSlicePublisher publisher;
    private final ActiveFaults faults;
    private final SimulatorWrites writes;
    private final SimEvents events;

    /// Prepares the cluster for the first node of a profile.
    private volatile Consumer<HardwareProfile> onNewProfile = _ -> {};

    NodeTasks(
            Cluster cluster,
            FleetOptions options,
            FleetTasks.World world,
            SimulatedSlicePublisher publisher,
            ActiveFaults faults) {
        this.cluster = cluster;
        this.options = options;
        this.world = world;
        this.publisher = publisher;
        this.faults = faults;
        this.writes = new SimulatorWrites(cluster);
        this.events = new SimEvents(cluster);
    }

    void onNewProfile(Consumer<HardwareProfile> action) {
        onNewProfile = action;
    }

    /// @param more takes chores that follow from this one
    Optional<Instant> register(String name, Instant now, BiConsumer<FleetTask, Instant> more) {
        var found = world.members().find(name);
        if (found.isEmpty() || faults.all().isSilent(name)) {
            return Optional.empty();
        }
        var member = found.get();
        if (world.members().isNew(member.profile())) {
            onNewProfile.accept(member.profile());
            world.members().prepared(member.profile());
        }
        var node = world.nodes().find(new ObjectRef("", name));
        if (node.isEmpty()) {
            return world.members().isPlanned(name) ? create(member, now) : Optional.empty();
        }
        world.members().created(name);
        more.accept(new FleetTask.Renew(name), now);
        more.accept(new FleetTask.Publish(name), now);
        if (NodeObjects.isTrue(node.get(), member.shape(), options.isAvoided())) {
            return Optional.empty();
        }
        // The Lease comes first: without it the node is soon declared not ready again.
        renew(name, now).ifPresent(at -> more.accept(new FleetTask.Renew(name), at));
        return correct(node.get(), member, now);
    }

    private Optional<Instant> create(FleetMembers.Member member, Instant now) {
        var name = member.shape().name();
        var fresh =
                NodeObjects.node(
                        member.shape(), world.members().number(name), options.isAvoided(), now);
        var outcome = cluster.send(Request.Create.of(NODES, "", fresh));
        if (outcome instanceof RequestResult.Exists) {
            world.members().created(name);
        }
        var retry = SimulatorWrites.noted(outcome, world.nodes(), now);
        if (outcome.isDone()) {
            world.members().created(name);
        }
        return retry.or(() -> Optional.of(now));
    }

    /// Writes labels, taints and status where they differ from those of a simulated node.
    private Optional<Instant> correct(JsonObject node, FleetMembers.Member member, Instant now) {
        var name = member.shape().name();
        var change =
                JsonObject.of(
                        "metadata", JsonObject.of("labels", NodeObjects.labels(member.shape())));
        var taints = NodeObjects.taints(node, options.isAvoided());
        if (!taints.equals(node.objectOrEmpty("spec").objects("taints"))) {
            // The list is written whole, so it must not have changed since it was read.
            var version = node.objectOrEmpty("metadata").text("resourceVersion");
            change =
                    JsonObject.of(
                                    "metadata",
                                    change.objectOrEmpty("metadata")
                                            .with("resourceVersion", Json.of(version)))
                            .with("spec", JsonObject.of("taints", Json.array(taints)));
        }
        var labelled = writes.patch(NODES, "", name, "", Request.PatchType.MERGE, change);
        if (!labelled.isDone()) {
            return SimulatorWrites.noted(labelled, world.nodes(), now);
        }
        var number = world.members().number(name);
        var status = NodeObjects.status(member.shape(), number, now);
        if (NodeObjects.isRejected(node)) {
            var conditions = new ArrayList<>(status.objects("conditions"));
            conditions.add(
                    SimulatedObjectFields.condition(
                            NodeObjects.PROFILE_CONDITION, true, "ProfileFound", "", now));
            status = status.with("conditions", Json.array(conditions));
        }
        return SimulatorWrites.noted(
                writes.patch(
                        NODES,
                        "",
                        name,
                        "status",
                        Request.PatchType.STRATEGIC,
                        JsonObject.of("status", status)),
                world.nodes(),
                now);
    }

    Optional<Instant> renew(String name, Instant now) {
        var node = world.nodes().find(new ObjectRef("", name));
        if (node.isEmpty() || !world.members().has(name) || faults.all().isSilent(name)) {
            return Optional.empty();
        }
        var spec = JsonObject.of("spec", NodeObjects.leaseSpec(name, options.heartbeat(), now));
        var outcome =
                writes.patch(
                        ResourcePath.LEASES,
                        NodeObjects.LEASE_NAMESPACE,
                        name,
                        "",
                        Request.PatchType.MERGE,
                        spec);
        if (outcome instanceof RequestResult.Missing) {
            var lease =
                    NodeObjects.lease(
                            name, ObservedObjects.uid(node.get()), options.heartbeat(), now);
            outcome =
                    cluster.send(
                            Request.Create.of(
                                    ResourcePath.LEASES, NodeObjects.LEASE_NAMESPACE, lease));
        }
        return outcome.isDone()
                ? Optional.of(now.plus(options.heartbeat()))
                : SimulatorWrites.retried(Optional.of(outcome), "lease of " + name, now);
    }

    Optional<Instant> publish(String name, Instant now) {
        var member = world.members().find(name);
        var node = world.nodes().find(new ObjectRef("", name));
        if (member.isEmpty() || node.isEmpty() || faults.all().isSilent(name)) {
            return Optional.empty();
        }
        var pools = seen(member.get().shape().pools());
        return SimulatorWrites.retried(
                publisher.publish(name, ObservedObjects.uid(node.get()), pools),
                "slices of " + name,
                now);
    }

    Optional<Instant> publishShared(Instant now) {
        var members = world.members();
        return SimulatorWrites.retried(
                publisher.publish(seen(members.shared()), members.possibleShared()),
                "shared slices",
                now);
    }

    private List<DesiredPool> seen(List<DesiredPool> pools) {
        return pools.stream().map(faults.all()::seen).toList();
    }

    Optional<Instant> discard(String name, Instant now) {
        var node = world.nodes().find(new ObjectRef("", name));
        return node.isEmpty() ? Optional.empty() : writes.deleted(NODES, node.get(), now);
    }

    /// Says on a node that its label names no profile: by a condition, and by an event.
    Optional<Instant> reject(String name, Instant now) {
        var found = world.nodes().find(new ObjectRef("", name));
        var profile = found.map(NodeObjects::profile).orElse("");
        if (profile.isEmpty() || world.members().profile(profile).isPresent()) {
            return Optional.empty();
        }
        var message =
                "%s: there is no hardware profile \"%s\"; berth up --list-profiles lists them"
                        .formatted(NodeObjects.PROFILE_LABEL, profile);
        if (found.flatMap(NodeObjects::rejection).filter(message::equals).isPresent()) {
            return Optional.empty();
        }
        var condition =
                SimulatedObjectFields.condition(
                        NodeObjects.PROFILE_CONDITION, false, "UnknownProfile", message, now);
        var told = events.warn("Node", found.get(), "UnknownProfile", message, now);
        if (told instanceof RequestResult.Unavailable) {
            return SimulatorWrites.retried(Optional.of(told), "event of " + name, now);
        }
        return SimulatorWrites.noted(
                writes.patch(
                        NODES,
                        "",
                        name,
                        "status",
                        Request.PatchType.STRATEGIC,
                        JsonObject.of(
                                "status", JsonObject.of("conditions", Json.array(condition)))),
                world.nodes(),
                now);
    }
}
