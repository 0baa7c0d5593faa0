package dev.berth.drivers.sim;

import dev.berth.client.Cluster;
import dev.berth.client.ResourcePath;
import dev.berth.client.cache.ObjectCache;
import dev.berth.client.event.EventRecorder;
import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.api.slice.DeviceId;
import dev.berth.model.api.slice.PoolId;
import dev.berth.model.api.slice.ResourceSlice;
import dev.berth.model.api.taint.DeviceTaint;
import dev.berth.model.codec.Kinds;
import dev.berth.model.json.JsonObject;
import dev.berth.model.workqueue.Backoff;
import dev.berth.model.workqueue.ControlLoopRunner;
import dev.berth.model.workqueue.WorkQueueLoop;
import dev.berth.model.workqueue.WorkResult;
import java.time.Clock;
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
/// The caller runs [#step] from one or several threads: a [ControlLoopRunner], or a simulation with
/// a virtual clock. Watch events enqueue tasks, and a task reconciles the observed with the desired
/// state. All state is in the cluster, so a restarted fleet continues where the last one stopped.
public final class SimulatedFleet extends WorkQueueLoop<FleetTask> implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(SimulatedFleet.class);
    private static final int WORKERS = 16;

    /// Constant: a task fails by an error of the simulator only; its writes have their own delays.
    private static final Backoff BACKOFF =
            new Backoff(SimulatorWrites.LONG_BACKOFF, SimulatorWrites.LONG_BACKOFF);

    private final Cluster cluster;
    private final FleetPlan plan;
    private final FleetMembers members;

    /// UIDs of nodes that are not in the plan and have to be deleted.
    private final Set<String> obsolete = ConcurrentHashMap.newKeySet();

    private final ActiveFaults faults = new ActiveFaults();
    private final List<Cluster.Subscription> subscriptions = new ArrayList<>();
    private final ObjectCache<JsonObject> nodes = ObjectCache.ofJson();
    private final ObjectCache<JsonObject> pods = ObjectCache.ofJson();
    private final ObjectCache<JsonObject> claims = ObjectCache.ofJson();
    private final ObjectCache<ResourceSlice> slices = ObjectCache.ofRecords();
    private final NodeSlices nodeSlices = new NodeSlices(slices);
    private final EventRecorder events;
    private final FleetTasks tasks;
    private Optional<ControlLoopRunner> runner = Optional.empty();

    /// @param plan the initial nodes; other simulated nodes of the cluster are deleted
    /// @param profiles profiles of nodes that are added later
    public SimulatedFleet(
            Cluster cluster, FleetPlan plan, HardwareProfiles profiles, FleetOptions options) {
        super(BACKOFF);
        this.cluster = cluster;
        this.plan = plan;
        this.members = new FleetMembers(plan, profiles);
        this.events = new EventRecorder(cluster);
        this.tasks =
                new FleetTasks(
                        cluster,
                        options,
                        new FleetTasks.FleetState(members, nodes, pods, claims),
                        new SimulatedSlicePublisher(cluster, nodeSlices),
                        faults,
                        new SimulatedNodeEvents(events));
        events.onWake(() -> add(new FleetTask.WriteEvents()));
        listen(nodes, this::nodeChanged);
        listen(pods, this::podChanged);
        listen(claims, this::claimChanged);
        listen(slices, slice -> slicesChanged(NodeSlices.node(slice)));
        nodes.onSynced(this::numberNodes);
        List.of(nodes, pods, claims, slices).forEach(cache -> cache.onSynced(this::wake));
    }

    private static <T> void listen(ObjectCache<T> cache, Consumer<T> onChange) {
        cache.addListener(
                ObjectCache.Listener.of(
                        (before, after) -> after.or(() -> before).ifPresent(onChange)));
    }

    /// Sets an action that runs before the first node of a profile that is not in the plan is
    /// registered, for example to install device classes.
    public void onNewProfile(Consumer<HardwareProfile> action) {
        tasks.onNewProfile(action);
    }

    /// Starts to watch the cluster.
    public void start() {
        plan.members().forEach(node -> add(new FleetTask.Register(node.name())));
        add(new FleetTask.PublishShared());
        subscriptions.add(cluster.watch(ResourcePath.of(Kinds.NODE), "", nodes));
        subscriptions.add(cluster.watch(Kinds.RESOURCE_SLICE, "", slices));
        subscriptions.add(cluster.watch(ResourcePath.of(Kinds.RESOURCE_CLAIM), "", claims));
        subscriptions.add(cluster.watch(ResourcePath.of(Kinds.POD), "", pods));
    }

    /// Starts to watch the cluster, and performs the tasks on threads until this is closed.
    public void start(Clock clock) {
        runner = Optional.of(ControlLoopRunner.start("sim", this, WORKERS, clock));
        start();
    }

    @Override
    protected WorkResult reconcile(FleetTask task, Instant now) {
        return tasks.perform(task, now, this::addAt)
                .<WorkResult>map(WorkResult.RequeueAt::new)
                .orElse(WorkResult.DONE);
    }

    @Override
    protected boolean isReady() {
        return hasSynced();
    }

    /// Whether the initial lists of all watches are complete.
    public boolean hasSynced() {
        return nodes.isSynced() && slices.isSynced() && claims.isSynced() && pods.isSynced();
    }

    /// The log of a container of a pod; empty when the pod is not on a node of this fleet.
    public Optional<String> log(JsonObject pod, String container) {
        var node = pod.objectOrEmpty("spec").text("nodeName");
        return members.has(node)
                ? Optional.of(
                        new SimulatedPodLog(claims::find, id -> nodeSlices.device(node, id))
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
        add(new FleetTask.Register(node));
        add(new FleetTask.Renew(node));
        add(new FleetTask.Publish(node));
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
        add(new FleetTask.PublishShared());
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
                add(new FleetTask.Publish(node));
            }
        }
        add(new FleetTask.PublishShared());
    }

    private boolean isNodeOfInterest(JsonObject node) {
        return members.has(JsonMetadata.ref(node).name()) || !NodeObjects.profile(node).isEmpty();
    }

    /// Numbers planned nodes in the order of the plan, after existing nodes kept their numbers.
    private void numberNodes() {
        for (var node : plan.members()) {
            if (members.isPlanned(node.name())) {
                members.number(node.name());
            }
        }
    }

    private void nodeChanged(JsonObject node) {
        if (!isNodeOfInterest(node)) {
            return;
        }
        var name = JsonMetadata.ref(node).name();
        var current = nodes.find(JsonMetadata.ref(node));
        if (current.isEmpty()) {
            deleted(name);
        } else if (isObsolete(current.get())) {
            add(new FleetTask.Discard(name));
        } else {
            exists(name, current.get());
        }
    }

    /// Handles the deletion of a Node object. A simulated node stays deleted until a user creates
    /// it again.
    private void deleted(String name) {
        if (!members.isPlanned(name) && members.remove(name)) {
            add(new FleetTask.PublishShared());
        }
    }

    /// Whether a simulated node existed before the fleet started and is not in its plan.
    private boolean isObsolete(JsonObject node) {
        var isLeftOver =
                !nodes.isSynced()
                        && !members.has(JsonMetadata.ref(node).name())
                        && (NodeObjects.wasSimulated(node)
                                || members.profile(NodeObjects.profile(node)).isPresent());
        if (isLeftOver) {
            obsolete.add(JsonMetadata.uid(node));
        }
        return obsolete.contains(JsonMetadata.uid(node));
    }

    private void exists(String name, JsonObject node) {
        members.created(name);
        members.keepAddress(name, node);
        var label = NodeObjects.profile(node);
        var profile = members.profile(label);
        if (label.isEmpty() || members.isOf(name, label)) {
            add(new FleetTask.Register(name));
        } else if (profile.isEmpty()) {
            members.remove(name);
            add(new FleetTask.Reject(name));
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
        add(new FleetTask.PublishShared());
    }

    private void slicesChanged(String node) {
        if (node.isEmpty()) {
            add(new FleetTask.PublishShared());
        } else if (members.has(node)) {
            add(new FleetTask.Publish(node));
        }
    }

    /// The node of the pod may be observed later than the pod.
    private void podChanged(JsonObject pod) {
        if (!pod.objectOrEmpty("spec").text("nodeName").isEmpty()) {
            add(new FleetTask.RunPod(JsonMetadata.ref(pod)));
        }
    }

    private void claimChanged(JsonObject claim) {
        var status = claim.objectOrEmpty("status");
        if (!status.has("allocation")) {
            return;
        }
        var ref = JsonMetadata.ref(claim);
        add(new FleetTask.Attach(ref));
        for (var consumer : status.objects("reservedFor")) {
            var pod = new ObjectRef(ref.namespace(), consumer.text("name"));
            if (consumer.text("resource").equals("pods")
                    && pods.find(pod).filter(SimulatedPodLifecycle::isWaitingToStart).isPresent()) {
                add(new FleetTask.RunPod(pod));
            }
        }
    }

    @Override
    public void close() {
        stop();
        runner.ifPresent(ControlLoopRunner::close);
        subscriptions.forEach(Cluster.Subscription::close);
    }
}
