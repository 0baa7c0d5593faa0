package dev.berth.drivers.sim;

import dev.berth.core.publish.DesiredPool;
import dev.berth.model.api.slice.PoolId;
import dev.berth.model.json.JsonObject;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/// The simulated nodes, with their profiles, pools and address numbers. Thread-safe.
final class FleetMembers {

    /// A simulated node.
    record Member(SimulatedNodeSpec nodeSpec, HardwareProfile profile) {}

    private final HardwareProfiles profiles;
    private final Map<String, Member> members = new ConcurrentHashMap<>();

    /// Planned nodes whose objects have not been created yet.
    private final Set<String> planned = ConcurrentHashMap.newKeySet();

    private final Set<PoolId> pools = ConcurrentHashMap.newKeySet();
    private final Set<String> prepared = ConcurrentHashMap.newKeySet();
    private final Set<PoolId> possibleShared;

    // The lock of this object guards the fields below.
    private final Map<HardwareProfile, Integer> uses = new LinkedHashMap<>();
    private final Map<String, Integer> numbers = new HashMap<>();
    private final BitSet usedNumbers = new BitSet();

    FleetMembers(FleetPlan plan, HardwareProfiles profiles) {
        this.profiles = profiles;
        this.possibleShared =
                profiles.all().stream()
                        .flatMap(profile -> profile.sharedPools().stream())
                        .map(DesiredPool::id)
                        .collect(Collectors.toSet());
        for (var node : plan.members()) {
            if (!node.isPresent()) {
                planned.add(node.name());
            }
            prepared.add(node.profile().name());
            put(node.name(), new Member(node.spec(), node.profile()));
        }
    }

    Optional<HardwareProfile> profile(String name) {
        return profiles.find(name);
    }

    Optional<Member> find(String node) {
        return Optional.ofNullable(members.get(node));
    }

    boolean has(String node) {
        return members.containsKey(node);
    }

    /// Whether a node is a member with this profile.
    boolean isOf(String node, String profile) {
        return find(node).filter(one -> one.profile().name().equals(profile)).isPresent();
    }

    List<String> names() {
        return List.copyOf(members.keySet());
    }

    /// Adds a node or changes its profile; true when something changed.
    boolean adopt(String node, HardwareProfile profile) {
        if (isOf(node, profile.name())) {
            return false;
        }
        var nodeSpec = profile.node(node, FleetPlan.index(node));
        remove(node);
        put(node, new Member(nodeSpec, profile));
        return true;
    }

    private synchronized void put(String node, Member member) {
        members.put(node, member);
        member.nodeSpec().pools().forEach(pool -> pools.add(pool.id()));
        if (uses.merge(member.profile(), 1, Integer::sum) == 1) {
            member.profile().sharedPools().forEach(pool -> pools.add(pool.id()));
        }
    }

    /// Removes a node; true when it was a member.
    synchronized boolean remove(String node) {
        var member = members.remove(node);
        if (member == null) {
            return false;
        }
        member.nodeSpec().pools().forEach(pool -> pools.remove(pool.id()));
        if (uses.merge(member.profile(), -1, Integer::sum) == 0) {
            uses.remove(member.profile());
            member.profile().sharedPools().forEach(pool -> pools.remove(pool.id()));
        }
        var number = numbers.remove(node);
        if (number != null) {
            usedNumbers.clear(number);
        }
        return true;
    }

    /// Whether a node of the plan still has to be created.
    boolean isPlanned(String node) {
        return planned.contains(node);
    }

    void created(String node) {
        planned.remove(node);
    }

    /// Whether a pool belongs to a member or to a profile in use.
    boolean owns(PoolId pool) {
        return pools.contains(pool);
    }

    /// The network-attached pools of all profiles in use.
    synchronized List<DesiredPool> shared() {
        return uses.keySet().stream().flatMap(one -> one.sharedPools().stream()).toList();
    }

    /// The network-attached pools of all profiles; published pools of profiles that are not in use
    /// are obsolete.
    Set<PoolId> possibleShared() {
        return possibleShared;
    }

    /// Whether the device classes of a profile may be missing.
    boolean isNew(HardwareProfile profile) {
        return !prepared.contains(profile.name());
    }

    void prepared(HardwareProfile profile) {
        prepared.add(profile.name());
    }

    /// Keeps the address that a node already has, so that a restart does not change it.
    synchronized void keepAddress(String node, JsonObject object) {
        var number = NodeObjects.number(object);
        if (number > 0 && !numbers.containsKey(node) && !usedNumbers.get(number)) {
            numbers.put(node, number);
            usedNumbers.set(number);
        }
    }

    /// The number of a node, from which its addresses follow: the lowest that is free, from 1.
    synchronized int number(String node) {
        return numbers.computeIfAbsent(
                node,
                _ -> {
                    var free = usedNumbers.nextClearBit(1);
                    usedNumbers.set(free);
                    return free;
                });
    }
}
