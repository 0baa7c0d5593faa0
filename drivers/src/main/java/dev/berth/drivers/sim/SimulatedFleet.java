package dev.berth.drivers.sim;

import dev.berth.client.Cluster;
import dev.berth.client.ResourcePath;
import dev.berth.model.api.DeviceId;
import dev.berth.model.api.DeviceTaint;
import dev.berth.model.api.ObjectRef;
import dev.berth.model.api.PoolId;
import dev.berth.model.codec.Kinds;
import dev.berth.model.json.JsonObject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Simulated nodes on any cluster: they register, renew their Leases, publish ResourceSlices, and
/// report the status of the pods that are bound to them.
///
/// The nodes are those whose Node objects have the label `sim.berth.dev/profile`. At its start a
/// fleet creates the nodes of its plan and deletes other simulated nodes; from then on it follows
/// the Node objects: a new one with the label becomes a simulated node, a deleted one stays
/// deleted.
///
/// Somebody has to call [#step], from one thread or from many: a [FleetRunner], or a simulation
/// with a time of its own. Whatever happens in the cluster puts a chore on the agenda; a chore
/// compares what is with what should be and makes the difference. Nothing is kept but what the
/// cluster tells, so a fleet that is started anew goes on where the last one ended.
public final class SimulatedFleet implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(SimulatedFleet.class);

    private final Cluster cluster;
    private final FleetPlan plan;
    private final FleetMembers members;

    /// The uids of nodes that are not in the plan and have to be deleted.
    private final Set<String> unwanted = ConcurrentHashMap.newKeySet();

    private final FleetTaskQueue agenda = new FleetTaskQueue();
    private final ActiveFaults faults = new ActiveFaults();
    private final List<Cluster.Subscription> subscriptions = new ArrayList<>();
    private final ObservedObjects nodes =
            new ObservedObjects(this::isNodeOfInterest, this::nodeChanged, this::allNodesSeen);
    private final ObservedObjects pods =
            new ObservedObjects(SimulatedFleet::isBound, this::podChanged, this::wakeUp);
    private final ObservedObjects claims =
            new ObservedObjects(_ -> true, this::claimChanged, this::wakeUp);
    private final ObservedSlices slices = new ObservedSlices(this::slicesChanged, this::wakeUp);
    private final FleetTasks chores;
    private volatile Runnable wake = () -> {};

    /// @param plan the nodes to begin with; other simulated nodes of the cluster are deleted
    /// @param profiles of nodes that are added later
    public SimulatedFleet(
            Cluster cluster, FleetPlan plan, HardwareProfiles profiles, FleetOptions options) {
        this.cluster = cluster;
        this.plan = plan;
        this.members = new FleetMembers(plan, profiles);
        this.chores =
                new FleetTasks(
                        cluster,
                        options,
                        new FleetTasks.World(members, nodes, pods, claims),
                        new SimulatedSlicePublisher(cluster, slices),
                        faults);
    }

    /// Has an action performed before the first node of a profile is registered that is not in the
    /// plan: installing device classes, for example.
    public void onNewProfile(Consumer<HardwareProfile> action) {
        chores.onNewProfile(action);
    }

    /// Begins to follow the cluster.
    public void start() {
        plan.members().forEach(node -> put(new FleetTask.Register(node.name())));
        put(new FleetTask.PublishShared());
        subscriptions.add(cluster.watch(ResourcePath.of(Kinds.NODE), "", nodes));
        subscriptions.add(cluster.watch(Kinds.RESOURCE_SLICE, "", slices));
        subscriptions.add(cluster.watch(ResourcePath.of(Kinds.RESOURCE_CLAIM), "", claims));
        subscriptions.add(cluster.watch(ResourcePath.of(Kinds.POD), "", pods));
    }

    /// Does one chore; false when none is due. May be called by several threads at once.
    public boolean step(Instant now) {
        if (!hasSeenAll()) {
            return false;
        }
        var taken = agenda.take(now);
        if (taken.isEmpty()) {
            return false;
        }
        var chore = taken.get();
        Optional<Instant> again = Optional.empty();
        try {
            again = chores.perform(chore, now, this::put);
        } catch (RuntimeException e) {
            LOG.error("{} failed; trying again", chore, e);
            again = Optional.of(now.plus(SimulatorWrites.LONG_RETRY));
        } finally {
            agenda.finish(chore, again);
        }
        return true;
    }

    /// When there will be something to do: a time in the past for now, none until something
    /// happens.
    public Optional<Instant> nextDue() {
        return hasSeenAll() ? agenda.nextDue() : Optional.empty();
    }

    /// Has somebody told when there may be something to do earlier than was said.
    public void onWake(Runnable newWake) {
        wake = newWake;
    }

    /// True when everything there is in the cluster has been seen.
    public boolean hasSeenAll() {
        return nodes.isComplete()
                && slices.isComplete()
                && claims.isComplete()
                && pods.isComplete();
    }

    /// The log of a container of a pod; empty when the pod is not on a node of this fleet.
    public Optional<String> log(JsonObject pod, String container) {
        var node = pod.objectOrEmpty("spec").text("nodeName");
        return members.has(node)
                ? Optional.of(
                        new SimulatedPodLog(claims::find, id -> slices.device(node, id))
                                .text(pod, container))
                : Optional.empty();
    }

    /// Makes the driver find something wrong with a device; this replaces earlier taints.
    public void taint(DeviceId device, DeviceTaint... taints) {
        faults.add(new Fault.Unhealthy(device, List.of(taints), ""));
        republish(device.poolId());
    }

    /// Makes a device vanish.
    public void remove(DeviceId device) {
        faults.add(new Fault.Gone(device));
        republish(device.poolId());
    }

    /// Makes the attachment of a device fail.
    public void refuseAttachment(DeviceId device) {
        faults.add(new Fault.Unattachable(device));
    }

    /// Ends all that is wrong with a device.
    public void heal(DeviceId device) {
        faults.heal(device);
        republish(device.poolId());
    }

    /// Makes a node fall silent: no heartbeat, nothing of its pods.
    public void silence(String node) {
        faults.add(new Fault.SilentNode(node));
    }

    /// Brings a silent node back.
    public void revive(String node) {
        faults.wake(node);
        resume(node);
    }

    private void resume(String node) {
        put(new FleetTask.Register(node));
        put(new FleetTask.Renew(node));
        put(new FleetTask.Publish(node));
        for (var pod : pods.all()) {
            if (pod.objectOrEmpty("spec").text("nodeName").equals(node)) {
                podChanged(pod);
            }
        }
    }

    /// Makes go wrong what a sheet says, instead of what the last one said.
    public void impose(FaultSet sheet) {
        warn(sheet);
        faults.impose(sheet);
        members.names().forEach(this::resume);
        put(new FleetTask.PublishShared());
        for (var claim : claims.all()) {
            claimChanged(claim);
        }
    }

    /// Names devices and nodes with a fault that the fleet does not have.
    private void warn(FaultSet sheet) {
        var all = new ArrayList<>(members.shared());
        members.names().stream()
                .flatMap(node -> members.find(node).stream())
                .forEach(member -> all.addAll(member.shape().pools()));
        for (var device : sheet.unknown(all)) {
            LOG.warn("faults: device {} does not exist; berth inventory lists devices", device);
        }
        for (var fault : sheet.faults()) {
            if (fault instanceof Fault.SilentNode(var node) && !members.has(node)) {
                LOG.warn("faults: node {} is not a simulated node", node);
            }
        }
    }

    private void republish(PoolId pool) {
        for (var node : members.names()) {
            var isOfNode =
                    members.find(node).stream()
                            .flatMap(one -> one.shape().pools().stream())
                            .anyMatch(one -> one.id().equals(pool));
            if (isOfNode) {
                put(new FleetTask.Publish(node));
            }
        }
        put(new FleetTask.PublishShared());
    }

    private boolean isNodeOfInterest(JsonObject node) {
        return members.has(ObservedObjects.ref(node).name())
                || !NodeObjects.profile(node).isEmpty();
    }

    /// Numbers planned nodes in the order of the plan, after existing nodes kept their numbers.
    private void allNodesSeen() {
        for (var node : plan.members()) {
            if (members.isPlanned(node.name())) {
                members.number(node.name());
            }
        }
        wakeUp();
    }

    private void nodeChanged(JsonObject node) {
        var name = ObservedObjects.ref(node).name();
        var current = nodes.find(ObservedObjects.ref(node));
        if (current.isEmpty()) {
            deleted(name);
        } else if (isUnwanted(current.get())) {
            put(new FleetTask.Discard(name));
        } else {
            exists(name, current.get());
        }
    }

    /// A Node object was deleted. A simulated node stays deleted, as long as no user creates it.
    private void deleted(String name) {
        if (!members.isPlanned(name) && members.remove(name)) {
            put(new FleetTask.PublishShared());
        }
    }

    /// True for a simulated node that was there when the fleet started and is not in its plan.
    private boolean isUnwanted(JsonObject node) {
        var isLeft =
                !nodes.isComplete()
                        && !members.has(ObservedObjects.ref(node).name())
                        && (NodeObjects.wasSimulated(node)
                                || members.profile(NodeObjects.profile(node)).isPresent());
        if (isLeft) {
            unwanted.add(ObservedObjects.uid(node));
        }
        return unwanted.contains(ObservedObjects.uid(node));
    }

    private void exists(String name, JsonObject node) {
        members.created(name);
        members.keepAddress(name, node);
        var label = NodeObjects.profile(node);
        var profile = members.profile(label);
        if (label.isEmpty() || members.isOf(name, label)) {
            put(new FleetTask.Register(name));
        } else if (profile.isEmpty()) {
            members.remove(name);
            put(new FleetTask.Reject(name));
        } else {
            adopt(name, profile.get());
        }
    }

    private void adopt(String name, HardwareProfile profile) {
        try {
            members.adopt(name, profile);
        } catch (InvalidProfileException e) {
            LOG.error("node {}: {}", name, e.getMessage());
            return;
        }
        resume(name);
        put(new FleetTask.PublishShared());
    }

    private void slicesChanged(String node) {
        if (node.isEmpty()) {
            put(new FleetTask.PublishShared());
        } else if (members.has(node)) {
            put(new FleetTask.Publish(node));
        }
    }

    /// Pods of all nodes are kept, since a pod can be seen before its node.
    private static boolean isBound(JsonObject pod) {
        return !pod.objectOrEmpty("spec").text("nodeName").isEmpty();
    }

    private void podChanged(JsonObject pod) {
        put(new FleetTask.RunPod(ObservedObjects.ref(pod)));
    }

    private void claimChanged(JsonObject claim) {
        var status = claim.objectOrEmpty("status");
        if (!status.has("allocation")) {
            return;
        }
        var ref = ObservedObjects.ref(claim);
        put(new FleetTask.Attach(ref));
        for (var consumer : status.objects("reservedFor")) {
            var pod = new ObjectRef(ref.namespace(), consumer.text("name"));
            if (consumer.text("resource").equals("pods")
                    && pods.find(pod).filter(SimulatedPodLifecycle::isWaitingToStart).isPresent()) {
                put(new FleetTask.RunPod(pod));
            }
        }
    }

    private void put(FleetTask chore) {
        put(chore, Instant.MIN);
    }

    private void put(FleetTask chore, Instant at) {
        agenda.put(chore, at);
        wakeUp();
    }

    private void wakeUp() {
        wake.run();
    }

    @Override
    public void close() {
        subscriptions.forEach(Cluster.Subscription::close);
    }
}
