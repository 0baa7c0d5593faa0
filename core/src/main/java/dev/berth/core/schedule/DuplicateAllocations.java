package dev.berth.core.schedule;

import dev.berth.core.inventory.Pool;
import dev.berth.core.inventory.PoolView;
import dev.berth.core.ledger.PoolHoldings;
import dev.berth.core.place.UnusableClaim;
import dev.berth.model.api.claim.AllocatedDevice;
import dev.berth.model.api.claim.ResourceClaim;
import dev.berth.model.api.meta.ObjectRef;
import java.util.List;
import java.util.Optional;

/// Finds claims whose devices are allocated to other claims as well.
///
/// The API server does not prevent two schedulers from allocating one device to two claims. Each
/// checks for the other before it binds a pod, and the later one deallocates. A restarted scheduler
/// does not remember a pending deallocation and cannot tell which claim was first: then a claim
/// that no pod on a node uses is treated as unusable and deallocated.
final class DuplicateAllocations {

    private DuplicateAllocations() {}

    /// Why no pod may use the claim; empty when pods may.
    static Optional<UnusableClaim> problem(ResourceClaim claim, ClaimInspection inspection) {
        return claim.status().allocation().stream()
                .flatMap(allocation -> allocation.devices().stream())
                .filter(device -> !device.isAdmin())
                .filter(device -> isAllocatedTwice(device, claim.ref(), inspection))
                .findFirst()
                .filter(_ -> !isInUse(claim, inspection))
                .map(device ->
                        new UnusableClaim.AllocatedTwice(
                                device.id(), others(device, claim.ref(), inspection)));
    }

    private static List<ObjectRef> others(
            AllocatedDevice device, ObjectRef claim, ClaimInspection inspection) {
        return inspection
                .usage()
                .ledger()
                .poolHoldings(device.id().poolId())
                .holdersOf(device.id())
                .stream()
                .filter(holder -> !holder.equals(claim))
                .toList();
    }

    private static boolean isInUse(ResourceClaim claim, ClaimInspection inspection) {
        var namespace = claim.metadata().namespace();
        return claim.status().reservedFor().stream()
                .anyMatch(user ->
                        user.isPodGroup()
                                ? inspection
                                        .usage()
                                        .hasPod(pod ->
                                                ClaimChecks.isMember(pod, user, namespace)
                                                        && !inspection.isAssumed().test(pod.ref()))
                                : isOnNode(new ObjectRef(namespace, user.name()), inspection));
    }

    private static boolean isOnNode(ObjectRef pod, ClaimInspection inspection) {
        return inspection.usage().nodeOf(pod).isPresent() && !inspection.isAssumed().test(pod);
    }

    private static boolean isAllocatedTwice(
            AllocatedDevice device, ObjectRef claim, ClaimInspection inspection) {
        var pool = device.id().poolId();
        var use = inspection.usage().ledger().poolHoldings(pool);
        if (use.holders() < 2) {
            return false;
        }
        if (device.share().isEmpty() && use.isHeldByOthers(device.id(), claim)) {
            return true;
        }
        return inspection
                .inventory()
                .pool(pool)
                .filter(published ->
                        exceedsCapacity(device, published, use)
                                || exceedsCounters(device, published, inspection))
                .isPresent();
    }

    /// True when the shares of a device exceed its capacity.
    private static boolean exceedsCapacity(AllocatedDevice device, Pool pool, PoolHoldings use) {
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

    /// True when partitions exceed a shared counter.
    private static boolean exceedsCounters(
            AllocatedDevice device, Pool pool, ClaimInspection inspection) {
        if (!consumesCounters(device, pool)) {
            return false;
        }
        var seen =
                inspection.inventory().nodes().stream()
                        .filter(node ->
                                pool.onlyNode().filter(n -> !n.equals(node.name())).isEmpty())
                        .flatMap(node -> inspection.inventory().pools(node.name()).stream())
                        .filter(one -> one.id().equals(pool.id()))
                        .findFirst();
        return seen.filter(one -> exceedsCounters(one, inspection)).isPresent();
    }

    private static boolean exceedsCounters(PoolView pool, ClaimInspection inspection) {
        for (var left : inspection.usage().countersLeft(pool)) {
            if (left.signum() < 0) {
                return true;
            }
        }
        return false;
    }

    private static boolean consumesCounters(AllocatedDevice device, Pool pool) {
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
