package dev.berth.drivers.sim;

import dev.berth.client.Cluster;
import dev.berth.client.Request;
import dev.berth.client.RequestResult;
import dev.berth.client.ResourcePath;
import dev.berth.core.publish.DesiredPool;
import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.codec.Kinds;
import dev.berth.model.condition.ConditionTrees;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/// Tasks of simulated nodes: Node objects, Leases and ResourceSlices. Each returns the time of its
/// next run, if there is one.
final class NodeTasks {

    static final ResourcePath NODES = ResourcePath.of(Kinds.NODE);

    private final Cluster cluster;
    private final FleetOptions options;
    private final FleetTasks.FleetState state;
    private final SimulatedSlicePublisher publisher;
    private final ActiveFaults faults;
    private final SimulatorWrites writes;
    private final SimulatedNodeEvents events;

    /// Prepares the cluster for the first node of a profile.
    private volatile Consumer<HardwareProfile> onNewProfile = _ -> {};

    NodeTasks(
            Cluster cluster,
            FleetOptions options,
            FleetTasks.FleetState state,
            SimulatedSlicePublisher publisher,
            ActiveFaults faults,
            SimulatedNodeEvents events) {
        this.cluster = cluster;
        this.options = options;
        this.state = state;
        this.publisher = publisher;
        this.faults = faults;
        this.writes = new SimulatorWrites(cluster);
        this.events = events;
    }

    void onNewProfile(Consumer<HardwareProfile> action) {
        onNewProfile = action;
    }

    /// @param enqueue enqueues follow-up tasks
    Optional<Instant> register(String name, Instant now, BiConsumer<FleetTask, Instant> enqueue) {
        var found = state.members().find(name);
        if (found.isEmpty() || faults.all().isSilent(name)) {
            return Optional.empty();
        }
        var member = found.get();
        if (state.members().isNew(member.profile())) {
            onNewProfile.accept(member.profile());
            state.members().prepared(member.profile());
        }
        var node = state.nodes().find(new ObjectRef("", name));
        if (node.isEmpty()) {
            return state.members().isPlanned(name) ? create(member, now) : Optional.empty();
        }
        state.members().created(name);
        enqueue.accept(new FleetTask.Renew(name), now);
        enqueue.accept(new FleetTask.Publish(name), now);
        if (NodeObjects.isUpToDate(node.get(), member.nodeSpec(), options.preferNoSchedule())) {
            return Optional.empty();
        }
        // The Lease comes first: without it the node is soon declared not ready again.
        renew(name, now).ifPresent(at -> enqueue.accept(new FleetTask.Renew(name), at));
        return correct(node.get(), member, now);
    }

    private Optional<Instant> create(FleetMembers.Member member, Instant now) {
        var name = member.nodeSpec().name();
        var fresh =
                NodeObjects.node(
                        member.nodeSpec(),
                        state.members().number(name),
                        options.preferNoSchedule(),
                        now);
        var outcome = cluster.send(Request.Create.of(NODES, "", fresh));
        if (outcome instanceof RequestResult.Exists) {
            state.members().created(name);
        }
        var retry = SimulatorWrites.retryOrCache(outcome, state.nodes(), now);
        if (outcome.isDone()) {
            state.members().created(name);
        }
        return retry.or(() -> Optional.of(now));
    }

    /// Writes labels, taints and status where they differ from those of a simulated node.
    private Optional<Instant> correct(JsonObject node, FleetMembers.Member member, Instant now) {
        var name = member.nodeSpec().name();
        var change =
                JsonObject.of(
                        "metadata", JsonObject.of("labels", NodeObjects.labels(member.nodeSpec())));
        var taints = NodeObjects.taints(node, options.preferNoSchedule());
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
            return SimulatorWrites.retryOrCache(labelled, state.nodes(), now);
        }
        var number = state.members().number(name);
        var status = NodeObjects.status(member.nodeSpec(), number, now);
        if (NodeObjects.isRejected(node)) {
            var conditions = new ArrayList<>(status.objects("conditions"));
            conditions.add(
                    ConditionTrees.of(
                            NodeObjects.PROFILE_CONDITION, true, "ProfileFound", "", now));
            status = status.with("conditions", Json.array(conditions));
        }
        return SimulatorWrites.retryOrCache(
                writes.patch(
                        NODES,
                        "",
                        name,
                        "status",
                        Request.PatchType.STRATEGIC,
                        JsonObject.of("status", status)),
                state.nodes(),
                now);
    }

    Optional<Instant> renew(String name, Instant now) {
        var node = state.nodes().find(new ObjectRef("", name));
        if (node.isEmpty() || !state.members().has(name) || faults.all().isSilent(name)) {
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
                    NodeObjects.lease(name, JsonMetadata.uid(node.get()), options.heartbeat(), now);
            outcome =
                    cluster.send(
                            Request.Create.of(
                                    ResourcePath.LEASES, NodeObjects.LEASE_NAMESPACE, lease));
        }
        return outcome.isDone()
                ? Optional.of(now.plus(options.heartbeat()))
                : SimulatorWrites.retryTime(Optional.of(outcome), "lease of " + name, now);
    }

    Optional<Instant> publish(String name, Instant now) {
        var member = state.members().find(name);
        var node = state.nodes().find(new ObjectRef("", name));
        if (member.isEmpty() || node.isEmpty() || faults.all().isSilent(name)) {
            return Optional.empty();
        }
        var pools = withFaults(member.get().nodeSpec().pools());
        return SimulatorWrites.retryTime(
                publisher.publish(name, JsonMetadata.uid(node.get()), pools),
                "slices of " + name,
                now);
    }

    Optional<Instant> publishShared(Instant now) {
        var members = state.members();
        return SimulatorWrites.retryTime(
                publisher.publish(withFaults(members.shared()), members.possibleShared()),
                "shared slices",
                now);
    }

    private List<DesiredPool> withFaults(List<DesiredPool> pools) {
        return pools.stream().map(faults.all()::applyTo).toList();
    }

    Optional<Instant> discard(String name, Instant now) {
        var node = state.nodes().find(new ObjectRef("", name));
        return node.isEmpty() ? Optional.empty() : writes.delete(NODES, node.get(), now);
    }

    /// Reports an unknown profile in the label of a node, as a condition and as an event.
    Optional<Instant> reject(String name, Instant now) {
        var found = state.nodes().find(new ObjectRef("", name));
        var profile = found.map(NodeObjects::profile).orElse("");
        if (profile.isEmpty() || state.members().profile(profile).isPresent()) {
            return Optional.empty();
        }
        var message =
                "%s: unknown hardware profile \"%s\"; berth up --list-profiles lists all"
                        .formatted(NodeObjects.PROFILE_LABEL, profile);
        if (found.flatMap(NodeObjects::rejection).filter(message::equals).isPresent()) {
            return Optional.empty();
        }
        var condition =
                ConditionTrees.of(
                        NodeObjects.PROFILE_CONDITION, false, "UnknownProfile", message, now);
        events.warn("Node", found.get(), "UnknownProfile", message);
        return SimulatorWrites.retryOrCache(
                writes.patch(
                        NODES,
                        "",
                        name,
                        "status",
                        Request.PatchType.STRATEGIC,
                        JsonObject.of(
                                "status", JsonObject.of("conditions", Json.array(condition)))),
                state.nodes(),
                now);
    }
}
