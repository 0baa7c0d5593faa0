package dev.berth.core.schedule;

import dev.berth.core.inventory.Pool;
import dev.berth.core.inventory.PoolView;
import dev.berth.core.ledger.PoolHoldings;
import dev.berth.core.place.UnusableClaim;
import dev.berth.model.api.AllocatedDevice;
import dev.berth.model.api.ObjectRef;
import dev.berth.model.api.ResourceClaim;
import java.util.List;
import java.util.Optional;

/// Finds claims that were given what others were given as well.
///
/// No server keeps two schedulers from writing the same device into two claims. Each looks out for
/// the other before it binds a pod, and the later one gives back. But one that starts anew does not
/// remember that it was about to do so, and cannot tell any more who was first: then a claim that
/// no pod on a node uses is not to be used, and gives back what it has.
final class DuplicateAllocations {

    private DuplicateAllocations() {}

    /// Why no pod may begin to use what the claim was given; empty when pods may.
    static Optional<UnusableClaim> trouble(ResourceClaim claim, ClaimInspection scene) {
        return claim.status().allocation().stream()
                .flatMap(allocation -> allocation.devices().stream())
                .filter(device -> !device.isAdmin())
                .filter(device -> isGivenTwice(device, claim.ref(), scene))
                .findFirst()
                .filter(_ -> !isInUse(claim, scene))
                .map(device ->
                        new UnusableClaim.GivenTwice(
                                device.id(), others(device, claim.ref(), scene)));
    }

    private static List<ObjectRef> others(
            AllocatedDevice device, ObjectRef claim, ClaimInspection scene) {
        return scene
                .occupancy()
                .ledger()
                .poolHoldings(device.id().poolId())
                .holdersOf(device.id())
                .stream()
                .filter(holder -> !holder.equals(claim))
                .toList();
    }

    private static boolean isInUse(ResourceClaim claim, ClaimInspection scene) {
        var namespace = claim.metadata().namespace();
        return claim.status().reservedFor().stream()
                .anyMatch(user ->
                        user.isPodGroup()
                                ? scene.occupancy()
                                        .hasPod(pod ->
                                                ClaimChecks.isMember(pod, user, namespace)
                                                        && !scene.isAssumed().test(pod.ref()))
                                : isOnNode(new ObjectRef(namespace, user.name()), scene));
    }

    private static boolean isOnNode(ObjectRef pod, ClaimInspection scene) {
        return scene.occupancy().nodeOf(pod).isPresent() && !scene.isAssumed().test(pod);
    }

    private static boolean isGivenTwice(
            AllocatedDevice device, ObjectRef claim, ClaimInspection scene) {
        var pool = device.id().poolId();
        var use = scene.occupancy().ledger().poolHoldings(pool);
        if (use.holders() < 2) {
            return false;
        }
        if (device.share().isEmpty() && use.isHeldByOthers(device.id(), claim)) {
            return true;
        }
        return scene.fleet()
                .pool(pool)
                .filter(known -> isSpent(device, known, use) || isOverdrawn(device, known, scene))
                .isPresent();
    }

    /// Whether shares of a device add up to more than it has.
    private static boolean isSpent(AllocatedDevice device, Pool pool, PoolHoldings use) {
        var consumed = use.holdings().consumed().get(device.id());
        if (device.share().isEmpty() || consumed == null) {
            return false;
        }
        for (var table : pool.slices()) {
            for (var row = 0; row < table.size(); row++) {
                if (!table.deviceName(row).equals(device.id().device())) {
                    continue;
                }
                var capacities = table.capacities(row);
                return consumed.entrySet().stream()
                        .anyMatch(sum ->
                                Optional.ofNullable(capacities.get(sum.getKey()))
                                        .filter(c -> sum.getValue().compareTo(c.value()) > 0)
                                        .isPresent());
            }
        }
        return false;
    }

    /// Whether partitions add up to more than there is of a counter.
    private static boolean isOverdrawn(AllocatedDevice device, Pool pool, ClaimInspection scene) {
        if (!draws(device, pool)) {
            return false;
        }
        var seen =
                scene.fleet().nodes().stream()
                        .filter(node ->
                                pool.onlyNode().filter(n -> !n.equals(node.name())).isEmpty())
                        .flatMap(node -> scene.fleet().pools(node.name()).stream())
                        .filter(one -> one.id().equals(pool.id()))
                        .findFirst();
        return seen.filter(one -> isOverdrawn(one, scene)).isPresent();
    }

    private static boolean isOverdrawn(PoolView pool, ClaimInspection scene) {
        for (var left : scene.occupancy().countersLeft(pool)) {
            if (left.signum() < 0) {
                return true;
            }
        }
        return false;
    }

    private static boolean draws(AllocatedDevice device, Pool pool) {
        for (var table : pool.slices()) {
            for (var row = 0; row < table.size(); row++) {
                if (table.deviceName(row).equals(device.id().device())) {
                    return !table.traits(row).consumes().isEmpty();
                }
            }
        }
        return false;
    }
}
