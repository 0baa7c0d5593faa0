package dev.berth.core.publish;

import dev.berth.model.api.meta.ObjectMeta;
import dev.berth.model.api.meta.OwnerReference;
import dev.berth.model.api.slice.Device;
import dev.berth.model.api.slice.NodeScope;
import dev.berth.model.api.slice.PoolId;
import dev.berth.model.api.slice.ResourcePool;
import dev.berth.model.api.slice.ResourceSlice;
import dev.berth.model.api.slice.ResourceSliceSpec;
import dev.berth.model.api.slice.SliceScope;
import dev.berth.model.api.taint.DeviceTaint;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// Computes the writes that turn the published slices into those that a driver wants.
///
/// When anything in a pool changes, every slice of it is written with a new generation, even if
/// only one has changed: consumers use a pool only when all its slices agree, so they see it as it
/// was or as it is, and never a mixture.
public final class SliceReconciler {

    private static final long FIRST_GENERATION = 1;

    private final List<OwnerReference> owners;

    /// @param owners of the slices, such as their node, with which they are garbage-collected
    public SliceReconciler(List<OwnerReference> owners) {
        this.owners = List.copyOf(owners);
    }

    /// The writes, in order; none when the published slices are as desired.
    ///
    /// @param current all slices of the driver on this node; those of pools that are not desired
    ///   any more are deleted
    public List<SliceCommand> commands(List<DesiredPool> desired, Iterable<ResourceSlice> current) {
        var published = new TreeMap<PoolId, List<ResourceSlice>>();
        for (var slice : current) {
            published.computeIfAbsent(slice.poolId(), _ -> new ArrayList<>()).add(slice);
        }
        var commands = new ArrayList<SliceCommand>();
        for (var pool : desired) {
            var slices = published.remove(pool.id());
            new PoolChange(pool, slices == null ? List.of() : slices).addTo(commands);
        }
        published
                .values()
                .forEach(slices ->
                        slices.forEach(slice -> commands.add(new SliceCommand.Delete(slice))));
        return commands;
    }

    private final class PoolChange {
        private final DesiredPool pool;
        private final List<SliceContents> contents;
        private final Map<String, ResourceSlice> current = new HashMap<>();
        private final Map<DeviceTaintKey, DeviceTaint> oldTaints = new HashMap<>();
        private final List<ResourceSlice> obsolete = new ArrayList<>();
        private final long newest;

        PoolChange(DesiredPool pool, List<ResourceSlice> slices) {
            this.pool = pool;
            this.contents = SliceContents.of(pool);
            var generation = FIRST_GENERATION - 1;
            var sorted = new ArrayList<>(slices);
            sorted.sort(Comparator.comparing(slice -> slice.metadata().name()));
            for (var slice : sorted) {
                generation = Math.max(generation, slice.spec().pool().generation());
                remember(slice);
                current.put(slice.metadata().name(), slice);
            }
            this.newest = generation;
            for (var i = 0; i < contents.size(); i++) {
                sorted.remove(current.get(name(i)));
            }
            obsolete.addAll(sorted);
        }

        private void remember(ResourceSlice slice) {
            for (var device : slice.spec().devices()) {
                for (var taint : device.taints()) {
                    oldTaints.put(DeviceTaintKey.of(device, taint), taint);
                }
            }
        }

        void addTo(List<SliceCommand> commands) {
            if (isUpToDate()) {
                return;
            }
            for (var i = 0; i < contents.size(); i++) {
                add(i, commands);
            }
            obsolete.forEach(slice -> commands.add(new SliceCommand.Delete(slice)));
        }

        private boolean isUpToDate() {
            if (!obsolete.isEmpty()) {
                return false;
            }
            for (var i = 0; i < contents.size(); i++) {
                var slice = current.get(name(i));
                if (slice == null
                        || !slice.spec().equals(spec(i, newest))
                        || !slice.metadata().ownerReferences().equals(owners)) {
                    return false;
                }
            }
            return true;
        }

        private void add(int index, List<SliceCommand> commands) {
            var spec = spec(index, newest + 1);
            var old = Optional.ofNullable(current.get(name(index)));
            if (old.isPresent() && !isOfSameNode(old.get())) {
                // The API does not allow to move a slice to another node.
                commands.add(new SliceCommand.Delete(old.get()));
                old = Optional.empty();
            }
            var metadata =
                    old.map(ResourceSlice::metadata)
                            .orElseGet(() -> ObjectMeta.of(name(index)))
                            .withOwnerReferences(owners);
            var slice = new ResourceSlice(metadata, spec);
            commands.add(
                    old.isPresent()
                            ? new SliceCommand.Update(slice)
                            : new SliceCommand.Create(slice));
        }

        private boolean isOfSameNode(ResourceSlice old) {
            return node(old.spec().scope()).equals(node(pool.scope()));
        }

        private static Optional<String> node(SliceScope scope) {
            return scope instanceof NodeScope.OneNode(var name)
                    ? Optional.of(name)
                    : Optional.empty();
        }

        private String name(int index) {
            return SliceNames.name(pool.id(), index);
        }

        private ResourceSliceSpec spec(int index, long generation) {
            var content = contents.get(index);
            var devices = content.devices().stream().map(this::withTimes).toList();
            return new ResourceSliceSpec(
                    pool.id().driver(),
                    new ResourcePool(pool.id().pool(), generation, contents.size()),
                    pool.scope(),
                    devices,
                    content.counters(),
                    devices.stream().anyMatch(device -> !device.consumesCounters().isEmpty())
                            ? pool.partitionTypeAttribute()
                            : Optional.empty(),
                    pool.skipNodeOperations());
        }

        /// The server sets `timeAdded` of a taint; a driver that does not set it keeps that value.
        private Device withTimes(Device device) {
            if (device.taints().isEmpty()) {
                return device;
            }
            return device.withTaints(
                    device.taints().stream()
                            .map(taint ->
                                    taint.timeAdded().isPresent()
                                            ? taint
                                            : oldTaints.getOrDefault(
                                                    DeviceTaintKey.of(device, taint), taint))
                            .toList());
        }
    }

    private record DeviceTaintKey(String device, String key, String value, String effect) {

        static DeviceTaintKey of(Device device, DeviceTaint taint) {
            return new DeviceTaintKey(
                    device.name(), taint.key(), taint.value(), taint.effect().text());
        }
    }
}
