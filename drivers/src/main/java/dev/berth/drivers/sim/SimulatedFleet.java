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
/// The caller runs [#step] from one or several threads: a [FleetRunner], or a simulation with a
/// virtual clock. Watch events enqueue tasks, and a task reconciles the observed with the desired
/// state. All state is in the cluster, so a restarted fleet continues where the last one stopped.
public final class SimulatedFleet implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(SimulatedFleet.class);

    private final Cluster cluster;
    private final FleetPlan plan;
    private final FleetMembers members;

    /// UIDs of nodes that are not in the plan and have to be deleted.
    private final Set<String> obsolete = ConcurrentHashMap.newKeySet();

    private final FleetTaskQueue queue = new FleetTaskQueue();
    private final ActiveFaults faults = new ActiveFaults();
    private final List<Cluster.Subscription> subscriptions = new ArrayList<>();
    private final ObservedObjects nodes =
            new ObservedObjects(this::isNodeOfInterest, this::nodeChanged, this::nodesSynced);
    private final ObservedObjects pods =
            new ObservedObjects(SimulatedFleet::isBound, this::podChanged, this::wakeUp);
    private final ObservedObjects claims =
            new ObservedObjects(_ -> true, this::claimChanged, this::wakeUp);
    private final ObservedSlices slices = new ObservedSlices(this::slicesChanged, this::wakeUp);
    private final FleetTasks tasks;
    private volatile Runnable wake = () -> {};

    /// @param plan the initial nodes; other simulated nodes of the cluster are deleted
    /// @param profiles profiles of nodes that are added later
    public SimulatedFleet(
            Cluster cluster, FleetPlan plan, HardwareProfiles profiles, FleetOptions options) {
        this.cluster = cluster;
        this.plan = plan;
        this.members = new FleetMembers(plan, profiles);
        this.tasks =
                new FleetTasks(
                        cluster,
                        options,
                        new FleetTasks.FleetState(members, nodes, pods, claims),
                        new SimulatedSlicePublisher(cluster, slices),
                        faults);
    }

    /// Sets an action that runs before the first node of a profile that is not in the plan is
    /// registered, for example to install device classes.
    public void onNewProfile(Consumer<HardwareProfile> action) {
        tasks.onNewProfile(action);
    }

    /// Starts to watch the cluster.
    public void start() {
        plan.members().forEach(node -> enqueue(new FleetTask.Register(node.name())));
        enqueue(new FleetTask.PublishShared());
        subscriptions.add(cluster.watch(ResourcePath.of(Kinds.NODE), "", nodes));
        subscriptions.add(cluster.watch(Kinds.RESOURCE_SLICE, "", slices));
        subscriptions.add(cluster.watch(ResourcePath.of(Kinds.RESOURCE_CLAIM), "", claims));
        subscriptions.add(cluster.watch(ResourcePath.of(Kinds.POD), "", pods));
    }

    /// Performs one task; false when none is due. Thread-safe.
    public boolean step(Instant now) {
        if (!hasSynced()) {
            return false;
        }
        var taken = queue.take(now);
        if (taken.isEmpty()) {
            return false;
        }
        var task = taken.get();
        Optional<Instant> requeueAt = Optional.empty();
        try {
            requeueAt = tasks.perform(task, now, this::enqueue);
        } catch (RuntimeException e) {
            LOG.error("{} failed; retrying", task, e);
            requeueAt = Optional.of(now.plus(SimulatorWrites.LONG_BACKOFF));
        } finally {
            queue.finish(task, requeueAt);
        }
        return true;
    }

    /// The time of the next task, in the past if one is due; empty if none is queued.
    public Optional<Instant> nextDue() {
        return hasSynced() ? queue.nextDue() : Optional.empty();
    }

    /// Sets a callback that runs whenever a task may be due earlier than [#nextDue] returned.
    public void onWake(Runnable callback) {
        wake = callback;
    }

    /// Whether the initial lists of all watches are complete.
    public boolean hasSynced() {
        return nodes.hasSynced() && slices.hasSynced() && claims.hasSynced() && pods.hasSynced();
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

    /// Makes a device unhealthy with these taints, which replace earlier ones.
    public void taint(DeviceId device, DeviceTaint... taints) {
        faults.add(new Fault.Unhealthy(device, List.of(taints), ""));
        republish(device.poolId());
    }

    /// Removes a device.
    public void remove(DeviceId device) {
        faults.add(new Fault.Gone(device));
        republish(device.poolId());
    }

    /// Makes the attachment of a device fail.
    public void failAttachment(DeviceId device) {
        faults.add(new Fault.Unattachable(device));
    }

    /// Clears all faults of a device.
    public void clearFaults(DeviceId device) {
        faults.clear(device);
        republish(device.poolId());
    }

    /// Stops the heartbeats and pod status updates of a node.
    public void stopHeartbeats(String node) {
        faults.add(new Fault.SilentNode(node));
    }

    /// Resumes the heartbeats and pod status updates of a node.
    public void resumeHeartbeats(String node) {
        faults.resume(node);
        resume(node);
    }

    private void resume(String node) {
        enqueue(new FleetTask.Register(node));
        enqueue(new FleetTask.Renew(node));
        enqueue(new FleetTask.Publish(node));
        for (var pod : pods.all()) {
            if (pod.objectOrEmpty("spec").text("nodeName").equals(node)) {
                podChanged(pod);
            }
        }
    }

    /// Replaces the configured faults by a new set.
    public void applyFaults(FaultSet faultSet) {
        warn(faultSet);
        faults.configure(faultSet);
        members.names().forEach(this::resume);
        enqueue(new FleetTask.PublishShared());
        for (var claim : claims.all()) {
            claimChanged(claim);
        }
    }

    /// Logs faults of devices and nodes that do not exist.
    private void warn(FaultSet faultSet) {
        var all = new ArrayList<>(members.shared());
        members.names().stream()
                .flatMap(node -> members.find(node).stream())
                .forEach(member -> all.addAll(member.nodeSpec().pools()));
        for (var device : faultSet.unknown(all)) {
            LOG.warn("faults: device {} does not exist; berth inventory lists devices", device);
        }
        for (var fault : faultSet.faults()) {
            if (fault instanceof Fault.SilentNode(var node) && !members.has(node)) {
                LOG.warn("faults: node {} is not a simulated node", node);
            }
        }
    }

    private void republish(PoolId pool) {
        for (var node : members.names()) {
            var isOfNode =
                    members.find(node).stream()
                            .flatMap(one -> one.nodeSpec().pools().stream())
                            .anyMatch(one -> one.id().equals(pool));
            if (isOfNode) {
                enqueue(new FleetTask.Publish(node));
            }
        }
        enqueue(new FleetTask.PublishShared());
    }

    private boolean isNodeOfInterest(JsonObject node) {
        return members.has(ObservedObjects.ref(node).name())
                || !NodeObjects.profile(node).isEmpty();
    }

    /// Numbers planned nodes in the order of the plan, after existing nodes kept their numbers.
    private void nodesSynced() {
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
        } else if (isObsolete(current.get())) {
            enqueue(new FleetTask.Discard(name));
        } else {
            exists(name, current.get());
        }
    }

    /// Handles the deletion of a Node object. A simulated node stays deleted until a user creates
    /// it again.
    private void deleted(String name) {
        if (!members.isPlanned(name) && members.remove(name)) {
            enqueue(new FleetTask.PublishShared());
        }
    }

    /// Whether a simulated node existed before the fleet started and is not in its plan.
    private boolean isObsolete(JsonObject node) {
        var isLeftOver =
                !nodes.hasSynced()
                        && !members.has(ObservedObjects.ref(node).name())
                        && (NodeObjects.wasSimulated(node)
                                || members.profile(NodeObjects.profile(node)).isPresent());
        if (isLeftOver) {
            obsolete.add(ObservedObjects.uid(node));
        }
        return obsolete.contains(ObservedObjects.uid(node));
    }

    private void exists(String name, JsonObject node) {
        members.created(name);
        members.keepAddress(name, node);
        var label = NodeObjects.profile(node);
        var profile = members.profile(label);
        if (label.isEmpty() || members.isOf(name, label)) {
            enqueue(new FleetTask.Register(name));
        } else if (profile.isEmpty()) {
            members.remove(name);
            enqueue(new FleetTask.Reject(name));
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
        enqueue(new FleetTask.PublishShared());
    }

    private void slicesChanged(String node) {
        if (node.isEmpty()) {
            enqueue(new FleetTask.PublishShared());
        } else if (members.has(node)) {
            enqueue(new FleetTask.Publish(node));
        }
    }

    /// Pods of all nodes are cached, since a pod may be observed before its node.
    private static boolean isBound(JsonObject pod) {
        return !pod.objectOrEmpty("spec").text("nodeName").isEmpty();
    }

    private void podChanged(JsonObject pod) {
        enqueue(new FleetTask.RunPod(ObservedObjects.ref(pod)));
    }

    private void claimChanged(JsonObject claim) {
        var status = claim.objectOrEmpty("status");
        if (!status.has("allocation")) {
            return;
        }
        var ref = ObservedObjects.ref(claim);
        enqueue(new FleetTask.Attach(ref));
        for (var consumer : status.objects("reservedFor")) {
            var pod = new ObjectRef(ref.namespace(), consumer.text("name"));
            if (consumer.text("resource").equals("pods")
                    && pods.find(pod).filter(SimulatedPodLifecycle::isWaitingToStart).isPresent()) {
                enqueue(new FleetTask.RunPod(pod));
            }
        }
    }

    private void enqueue(FleetTask task) {
        enqueue(task, Instant.MIN);
    }

    private void enqueue(FleetTask task, Instant at) {
        queue.put(task, at);
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
