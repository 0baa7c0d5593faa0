package dev.berth.drivers.sim;

import dev.berth.client.Address;
import dev.berth.client.Cluster;
import dev.berth.core.publish.DesiredPool;
import dev.berth.model.api.DeviceId;
import dev.berth.model.api.DeviceTaint;
import dev.berth.model.api.ObjectRef;
import dev.berth.model.api.PoolId;
import dev.berth.model.codec.Kinds;
import dev.berth.model.json.JsonObject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Nodes that are not there, on any cluster: they register, beat, publish what their drivers find,
/// and seem to run the pods that are bound to them.
///
/// Somebody has to call [#step], from one thread or from many: a [FleetRunner], or a simulation
/// with a time of its own. Whatever happens in the cluster puts a chore on the agenda; a chore
/// compares what is with what should be and makes the difference. Nothing is kept but what the
/// cluster tells, so a fleet that is started anew goes on where the last one ended.
public final class SimulatedFleet implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(SimulatedFleet.class);

    /// A node of the fleet.
    ///
    /// @param number among all nodes, from which addresses follow
    record Member(NodeShape shape, int number) {}

    private final Cluster cluster;
    private final Map<String, Member> members = new LinkedHashMap<>();
    private final List<DesiredPool> shared;
    private final Set<PoolId> pools = new HashSet<>();
    private final Agenda agenda = new Agenda();
    private final Faults faults = new Faults();
    private final List<Cluster.Following> followings = new ArrayList<>();
    private final Seen nodes = new Seen(this::isNodeOfInterest, this::nodeChanged, this::wakeUp);
    private final Seen pods = new Seen(this::isOnOurNode, this::podChanged, this::wakeUp);
    private final Seen claims = new Seen(_ -> true, this::claimChanged, this::wakeUp);
    private final SeenSlices slices = new SeenSlices(this::slicesChanged, this::wakeUp);
    private final Chores chores;
    private volatile Runnable wake = () -> {};

    /// @param shared pools that belong to no node
    public SimulatedFleet(
            Cluster cluster,
            List<NodeShape> nodes,
            List<DesiredPool> shared,
            FleetOptions options) {
        this.cluster = cluster;
        this.shared = List.copyOf(shared);
        for (var shape : nodes) {
            members.put(shape.name(), new Member(shape, members.size()));
            shape.pools().forEach(pool -> pools.add(pool.id()));
        }
        shared.forEach(pool -> pools.add(pool.id()));
        this.chores =
                new Chores(
                        cluster,
                        options,
                        new Chores.World(
                                members, this.shared, Set.copyOf(pools), this.nodes, pods, claims),
                        new SlicePublisher(cluster, slices),
                        faults);
    }

    /// Begins to follow the cluster.
    public void start() {
        members.keySet().forEach(node -> put(new Chore.Register(node)));
        put(new Chore.PublishShared());
        followings.add(cluster.follow(Address.of(Kinds.NODE), "", nodes));
        followings.add(cluster.follow(Kinds.RESOURCE_SLICE, "", slices));
        followings.add(cluster.follow(Address.of(Kinds.RESOURCE_CLAIM), "", claims));
        followings.add(cluster.follow(Address.of(Kinds.POD), "", pods));
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
            again = Optional.of(now.plus(Chores.LONG_RETRY));
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
        put(new Chore.Register(node));
        put(new Chore.Renew(node));
        put(new Chore.Publish(node));
        for (var pod : pods.all()) {
            podChanged(pod);
        }
    }

    /// Makes go wrong what a sheet says, instead of what the last one said.
    public void impose(FaultSheet sheet) {
        warn(sheet);
        faults.impose(sheet);
        members.keySet().forEach(this::resume);
        put(new Chore.PublishShared());
        for (var claim : claims.all()) {
            claimChanged(claim);
        }
    }

    /// Names devices and nodes with a fault that the fleet does not have.
    private void warn(FaultSheet sheet) {
        var all = new ArrayList<>(shared);
        members.values().forEach(member -> all.addAll(member.shape().pools()));
        for (var device : sheet.unknown(all)) {
            LOG.warn("faults: device {} does not exist; berth inventory lists devices", device);
        }
        for (var fault : sheet.faults()) {
            if (fault instanceof Fault.SilentNode(var node) && !members.containsKey(node)) {
                LOG.warn("faults: node {} is not a simulated node", node);
            }
        }
    }

    private void republish(PoolId pool) {
        for (var member : members.values()) {
            if (member.shape().pools().stream().anyMatch(one -> one.id().equals(pool))) {
                put(new Chore.Publish(member.shape().name()));
            }
        }
        put(new Chore.PublishShared());
    }

    private boolean isNodeOfInterest(JsonObject node) {
        return members.containsKey(Seen.ref(node).name())
                || node.objectOrEmpty("metadata")
                        .objectOrEmpty("labels")
                        .has(NodeObjects.PROFILE_LABEL);
    }

    private void nodeChanged(JsonObject node) {
        var name = Seen.ref(node).name();
        put(members.containsKey(name) ? new Chore.Register(name) : new Chore.Discard(name));
    }

    private void slicesChanged(String node) {
        if (node.isEmpty()) {
            put(new Chore.PublishShared());
        } else if (members.containsKey(node)) {
            put(new Chore.Publish(node));
        }
    }

    private boolean isOnOurNode(JsonObject pod) {
        return members.containsKey(pod.objectOrEmpty("spec").text("nodeName"));
    }

    private void podChanged(JsonObject pod) {
        put(new Chore.RunPod(Seen.ref(pod)));
    }

    private void claimChanged(JsonObject claim) {
        var status = claim.objectOrEmpty("status");
        if (!status.has("allocation")) {
            return;
        }
        var ref = Seen.ref(claim);
        put(new Chore.Attach(ref));
        for (var consumer : status.objects("reservedFor")) {
            var pod = new ObjectRef(ref.namespace(), consumer.text("name"));
            if (consumer.text("resource").equals("pods")
                    && pods.find(pod).filter(PodLife::isWaitingToStart).isPresent()) {
                put(new Chore.RunPod(pod));
            }
        }
    }

    private void put(Chore chore) {
        put(chore, Instant.MIN);
    }

    private void put(Chore chore, Instant at) {
        agenda.put(chore, at);
        wakeUp();
    }

    private void wakeUp() {
        wake.run();
    }

    @Override
    public void close() {
        followings.forEach(Cluster.Following::close);
    }
}
