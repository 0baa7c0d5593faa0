package dev.berth.core.lifecycle;

import dev.berth.core.taint.Taints;
import dev.berth.model.api.claim.AllocatedDevice;
import dev.berth.model.api.claim.ResourceClaim;
import dev.berth.model.api.meta.Condition;
import dev.berth.model.api.slice.DeviceId;
import dev.berth.model.api.slice.NodeScope;
import dev.berth.model.api.slice.PoolId;
import dev.berth.model.api.slice.PoolStatus;
import dev.berth.model.api.slice.ResourcePoolStatusRequest;
import dev.berth.model.api.slice.ResourcePoolStatusRequestStatus;
import dev.berth.model.api.slice.ResourceSlice;
import dev.berth.model.api.taint.DeviceTaint;
import dev.berth.model.api.taint.DeviceTaintRule;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;

/// Computes the status of ResourcePoolStatusRequests: devices in total, allocated, unavailable and
/// available.
public final class PoolStatusReport {

    /// How long a completed request is kept.
    public static final Duration COMPLETED_TTL = Duration.ofHours(1);

    /// How long an incomplete request is kept.
    public static final Duration PENDING_TTL = Duration.ofHours(24);

    /// A computed status.
    ///
    /// @param missing pools with missing slices, which make the status incomplete
    public record Result(ResourcePoolStatusRequestStatus status, List<PoolId> missing) {

        public Result {
            missing = List.copyOf(missing);
        }
    }

    private final List<DeviceTaintRule> rules;
    private final Map<PoolId, List<AllocatedDevice>> inUse = new HashMap<>();

    public PoolStatusReport(Collection<ResourceClaim> claims, List<DeviceTaintRule> rules) {
        this.rules = List.copyOf(rules);
        for (var claim : claims) {
            claim.status()
                    .allocation()
                    .ifPresent(allocation -> allocation.devices().forEach(this::use));
        }
    }

    private void use(AllocatedDevice device) {
        inUse.computeIfAbsent(device.id().poolId(), _ -> new ArrayList<>()).add(device);
    }

    /// When a request is deleted.
    public static Optional<Instant> expiresAt(ResourcePoolStatusRequest request) {
        if (request.status().isEmpty()) {
            return request.metadata().creationTimestamp().map(time -> time.plus(PENDING_TTL));
        }
        return request.status().get().conditions().stream()
                .filter(one -> one.type().equals("Complete") || one.type().equals("Failed"))
                .findFirst()
                .flatMap(Condition::lastTransitionTime)
                .map(time -> time.plus(COMPLETED_TTL));
    }

    public Result calculate(
            ResourcePoolStatusRequest request, Collection<ResourceSlice> slices, Instant now) {
        var pools = new ArrayList<PoolStatus>();
        var missing = new ArrayList<PoolId>();
        var faulty = 0;
        for (var pool : newest(request, slices).entrySet()) {
            var status = pool(pool.getKey(), pool.getValue(), request);
            pools.add(status);
            faulty += status.validationError().isPresent() ? 1 : 0;
            if (status.totalDevices().isEmpty()) {
                missing.add(pool.getKey());
            }
        }
        var count = pools.size();
        var limit = request.spec().limit().orElse(100);
        var message =
                "Calculated status for %d pools%s"
                        .formatted(count, faulty == 0 ? "" : " (" + faulty + " incomplete)");
        var done =
                new Condition(
                        "Complete", "True", 0, Optional.of(now), "CalculationComplete", message);
        var listed = pools.subList(0, (int) Math.min(count, limit));
        return new Result(
                new ResourcePoolStatusRequestStatus(
                        OptionalLong.of(count), List.copyOf(listed), List.of(done)),
                missing);
    }

    /// The slices of the highest generation of each requested pool.
    private static Map<PoolId, List<ResourceSlice>> newest(
            ResourcePoolStatusRequest request, Collection<ResourceSlice> slices) {
        var pools = new TreeMap<PoolId, List<ResourceSlice>>();
        for (var slice : slices) {
            var spec = request.spec();
            if (slice.spec().driver().equals(spec.driver())
                    && spec.poolName().map(slice.spec().pool().name()::equals).orElse(true)) {
                pools.computeIfAbsent(slice.poolId(), _ -> new ArrayList<>()).add(slice);
            }
        }
        pools.replaceAll((_, all) -> newestOf(all));
        return pools;
    }

    /// The slices of one pool that count: those of the highest generation.
    public static List<ResourceSlice> newestOf(List<ResourceSlice> slices) {
        var newest =
                slices.stream().mapToLong(one -> one.spec().pool().generation()).max().orElse(0);
        return slices.stream().filter(one -> one.spec().pool().generation() == newest).toList();
    }

    private PoolStatus pool(
            PoolId id, List<ResourceSlice> slices, ResourcePoolStatusRequest request) {
        var pool = slices.getFirst().spec().pool();
        if (slices.size() < pool.resourceSliceCount()) {
            var error =
                    "PoolIncomplete: pool %s is incomplete: observed %d/%d slices at generation %d"
                            .formatted(
                                    id,
                                    slices.size(),
                                    pool.resourceSliceCount(),
                                    pool.generation());
            return new PoolStatus(
                    id,
                    node(slices),
                    OptionalLong.empty(),
                    OptionalLong.empty(),
                    OptionalLong.empty(),
                    OptionalLong.empty(),
                    OptionalLong.of(pool.resourceSliceCount()),
                    pool.generation(),
                    Optional.of(error),
                    List.of(),
                    Optional.empty());
        }
        return complete(id, slices, request);
    }

    private PoolStatus complete(
            PoolId id, List<ResourceSlice> slices, ResourcePoolStatusRequest request) {
        var uses = inUse.getOrDefault(id, List.of());
        var allocated = new HashSet<String>();
        for (var use : uses) {
            if (!use.isAdmin()) {
                allocated.add(use.id().device());
            }
        }
        var total = slices.stream().mapToLong(one -> one.spec().devices().size()).sum();
        var unavailable = slices.stream().mapToLong(this::unavailable).sum();
        var partitions =
                PoolPartitions.of(
                        slices, allocated, request.spec().defaultPartitionTypeAttribute());
        var shares = ShareableDevices.of(slices, uses);
        return new PoolStatus(
                id,
                node(slices),
                OptionalLong.of(total),
                OptionalLong.of(allocated.size()),
                OptionalLong.of(Math.max(0, total - allocated.size() - unavailable)),
                OptionalLong.of(unavailable),
                OptionalLong.of(slices.size()),
                slices.getFirst().spec().pool().generation(),
                partitions.error().or(shares::error),
                partitions.summary(),
                shares.summary());
    }

    private static Optional<String> node(List<ResourceSlice> slices) {
        var names = new HashSet<String>();
        for (var slice : slices) {
            names.add(slice.spec().scope() instanceof NodeScope.OneNode(var name) ? name : "");
        }
        return names.size() == 1
                ? Optional.of(names.iterator().next()).filter(name -> !name.isEmpty())
                : Optional.empty();
    }

    private long unavailable(ResourceSlice slice) {
        var count = 0;
        for (var device : slice.spec().devices()) {
            var id = new DeviceId(slice.spec().driver(), slice.spec().pool().name(), device.name());
            var taints = new ArrayList<DeviceTaint>(device.taints());
            for (var rule : rules) {
                if (DeviceEviction.selects(rule, id)) {
                    taints.add(rule.spec().taint());
                }
            }
            count += Taints.untolerated(taints, List.of()).isPresent() ? 1 : 0;
        }
        return count;
    }
}
