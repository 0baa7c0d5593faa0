package dev.berth.server.allocation;

import dev.berth.core.admission.gate.FeatureGates;
import dev.berth.core.place.PlacementFeatures;
import dev.berth.model.json.JsonObject;
import dev.berth.server.registry.AdmissionChain;
import dev.berth.server.registry.ApiError;
import dev.berth.server.registry.ApiException;
import dev.berth.server.registry.StoredObjects;
import dev.berth.server.store.Change;
import dev.berth.server.store.Entry;
import dev.berth.server.store.ObjectKey;
import dev.berth.server.store.Store;
import dev.berth.server.store.WriteResult;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/// Rejects allocations that overlap: a device for two claims, shares beyond the capacity of their
/// device, devices beyond the shared counters of their pool; see [AllocationIndex]. The API server
/// of Kubernetes relies on the scheduler for this: two schedulers that run concurrently, or one
/// that does not recheck before it binds a pod, allocate devices twice.
///
/// A write that allocates is checked against all stored allocations and all reservations of writes
/// in progress, and becomes a reservation itself, in one step under a lock; the write itself runs
/// outside of the lock. Every write compares the revision of its claim, so a reservation is valid
/// only as long as its claim has the revision that the write expects: afterwards the write is
/// stored, or it has failed for good. So reservations end with the change of the claim that decides
/// them, never by the outcome of another write. Only a reservation whose write certainly failed
/// ends earlier, and one whose outcome is unknown (the store failed during the write) ends after a
/// timeout.
///
/// If several servers share one etcd, each sees the allocations of the others as soon as its watch
/// has delivered them, but not their reservations: two servers can allocate one device
/// concurrently.
public final class AllocationGuard implements AdmissionChain.Guard {

    private static final String CLAIMS = "resource.k8s.io/resourceclaims";
    private static final String SLICES = "resource.k8s.io/resourceslices";

    /// Timeout after which a write of unknown outcome is assumed to have failed: etcd gives up on
    /// requests after seven seconds.
    private static final Duration UNKNOWN_OUTCOME_TIMEOUT = Duration.ofSeconds(30);

    /// The devices of a write in progress. Compared by identity: writes may be equal.
    private static final class Reservation {
        private final ObjectKey claim;

        /// Revision of the claim that the write replaces; 0 when it creates it.
        private final long revision;

        private final List<DeviceAllocation> devices;

        /// When a write of unknown outcome is assumed to have failed.
        private Instant end = Instant.MAX;

        Reservation(AdmissionChain.PendingWrite pending, List<DeviceAllocation> devices) {
            this.claim = claim(pending);
            this.revision = pending.revision();
            this.devices = devices;
        }
    }

    /// The stored allocation of a claim.
    ///
    /// @param source the `status.allocation` from which the devices were decoded
    private record Allocated(JsonObject source, List<DeviceAllocation> devices) {

        static final Allocated NONE = new Allocated(JsonObject.EMPTY, List.of());
    }

    private final Store store;
    private final Clock clock;
    private final PublishedPools pools;
    private final CollectionCursor claimChanges;
    private final CollectionCursor sliceChanges;
    private final StoredClaims storedClaims = new StoredClaims();

    // Guards the index and all its content. The store is never written under this lock.
    private final Lock lock = new ReentrantLock();
    private final AllocationIndex index;
    private final Map<ObjectKey, Allocated> allocated = new HashMap<>();
    private final Map<ObjectKey, List<Reservation>> reserved = new HashMap<>();
    private final List<Reservation> inDoubt = new ArrayList<>();

    public AllocationGuard(Store store, FeatureGates gates, Clock clock) {
        this.store = store;
        this.clock = clock;
        this.pools = new PublishedPools(PlacementFeatures.rules(PlacementFeatures.of(gates)));
        this.index = new AllocationIndex(pools);
        this.claimChanges = new CollectionCursor(store, CLAIMS);
        this.sliceChanges = new CollectionCursor(store, SLICES);
    }

    @Override
    public WriteResult guardedWrite(
            AdmissionChain.PendingWrite pending, Supplier<WriteResult> write) {
        var newDevices = newDevices(pending);
        if (newDevices.isEmpty()) {
            return write.get();
        }
        var reservation = new Reservation(pending, newDevices);
        if (!reserve(reservation, pending)) {
            return write.get();
        }
        Optional<Boolean> isWritten = Optional.empty();
        try {
            var result = write.get();
            isWritten = Optional.of(result instanceof WriteResult.Done);
            return result;
        } catch (ApiException e) {
            isWritten = Optional.of(false);
            throw e;
        } finally {
            end(reservation, isWritten);
        }
    }

    @Override
    public void check(AdmissionChain.PendingWrite pending) {
        var newDevices = newDevices(pending);
        if (newDevices.isEmpty()) {
            return;
        }
        var reservation = new Reservation(pending, newDevices);
        if (reserve(reservation, pending)) {
            end(reservation, Optional.of(false));
        }
    }

    /// The devices that a write allocates to its claim; empty when the claim already has all of
    /// them.
    @SuppressWarnings("ReferenceEquality") // most writes leave the allocation the same object
    private static List<DeviceAllocation> newDevices(AdmissionChain.PendingWrite pending) {
        if (!pending.resource().collection().equals(CLAIMS)) {
            return List.of();
        }
        var after = DeviceAllocation.allocation(pending.object());
        var before = DeviceAllocation.allocation(pending.old().orElse(JsonObject.EMPTY));
        if (after == before) {
            return List.of();
        }
        var claim = claim(pending);
        var newDevices = DeviceAllocation.of(claim, after);
        var owned = new ArrayList<>(DeviceAllocation.of(claim, before));
        return newDevices.stream().allMatch(owned::remove) ? List.of() : newDevices;
    }

    private static ObjectKey claim(AdmissionChain.PendingWrite pending) {
        var name = pending.object().objectOrEmpty("metadata").text("name");
        return new ObjectKey(CLAIMS, pending.namespace(), name);
    }

    /// False when the claim has changed meanwhile: the write will fail, so nothing is reserved.
    private boolean reserve(Reservation reservation, AdmissionChain.PendingWrite pending) {
        lock.lock();
        try {
            claimChanges.catchUp(storedClaims);
            sliceChanges.catchUp(pools);
            expireInDoubt();
            if (revision(reservation.claim) != reservation.revision) {
                return false;
            }
            var conflict = add(reservation);
            if (conflict.isPresent()) {
                throw ApiError.conflict(
                                pending.resource().about(reservation.claim.name()), conflict.get())
                        .exception();
            }
            reserved.computeIfAbsent(reservation.claim, _ -> new ArrayList<>(1)).add(reservation);
            return true;
        } finally {
            lock.unlock();
        }
    }

    private long revision(ObjectKey claim) {
        return store.get(claim).map(Entry::revision).orElse(0L);
    }

    /// Adds the devices of a reservation to the index or, if one conflicts, none. Devices of the
    /// same claim, stored or reserved by concurrent writes, do not conflict: one of these writes
    /// replaces them.
    private Optional<String> add(Reservation reservation) {
        var own =
                new ArrayList<>(
                        allocated.getOrDefault(reservation.claim, Allocated.NONE).devices());
        reserved.getOrDefault(reservation.claim, List.of())
                .forEach(other -> own.addAll(other.devices));
        own.forEach(index::remove);
        var added = new ArrayList<DeviceAllocation>();
        try {
            for (var device : reservation.devices) {
                var conflict = index.conflict(device);
                if (conflict.isPresent()) {
                    added.forEach(index::remove);
                    return conflict;
                }
                index.add(device);
                added.add(device);
            }
            return Optional.empty();
        } finally {
            own.forEach(index::add);
        }
    }

    /// Ends a reservation whose write failed. If the write succeeded, the resulting change ends it.
    private void end(Reservation reservation, Optional<Boolean> isWritten) {
        if (isWritten.orElse(false)) {
            return;
        }
        lock.lock();
        try {
            if (isWritten.isPresent()) {
                remove(reservation);
            } else {
                reservation.end = clock.instant().plus(UNKNOWN_OUTCOME_TIMEOUT);
                inDoubt.add(reservation);
            }
        } finally {
            lock.unlock();
        }
    }

    private void expireInDoubt() {
        if (inDoubt.isEmpty()) {
            return;
        }
        var now = clock.instant();
        for (var reservation : List.copyOf(inDoubt)) {
            if (!reservation.end.isAfter(now)) {
                remove(reservation);
            }
        }
    }

    private void remove(Reservation reservation) {
        inDoubt.remove(reservation);
        var writes = reserved.get(reservation.claim);
        if (writes == null || !writes.remove(reservation)) {
            return;
        }
        reservation.devices.forEach(index::remove);
        if (writes.isEmpty()) {
            reserved.remove(reservation.claim);
        }
    }

    /// Applies changes of stored claims.
    private final class StoredClaims implements CollectionCursor.Listener {

        @Override
        public void reload(List<Entry> entries) {
            index.clear();
            allocated.clear();
            entries.forEach(entry -> allocate(entry.key(), allocation(entry)));
            var reservations = reserved.values().stream().flatMap(List::stream).toList();
            reservations.forEach(one -> one.devices.forEach(index::add));
            for (var one : reservations) {
                endOutdated(one.claim, revision(one.claim));
            }
        }

        @Override
        public void apply(Change change) {
            var claim = change.entry().key();
            endOutdated(claim, change.revision());
            allocate(
                    claim,
                    change.type() == Change.Type.DELETED
                            ? JsonObject.EMPTY
                            : allocation(change.entry()));
        }

        private static JsonObject allocation(Entry entry) {
            return DeviceAllocation.allocation(StoredObjects.tree(entry));
        }

        /// Ends the reservations of writes that expect another revision of their claim.
        private void endOutdated(ObjectKey claim, long revision) {
            var writes = reserved.get(claim);
            if (writes == null) {
                return;
            }
            for (var one : List.copyOf(writes)) {
                if (one.revision != revision) {
                    remove(one);
                }
            }
        }

        @SuppressWarnings("ReferenceEquality") // as in newDevices
        private void allocate(ObjectKey claim, JsonObject allocation) {
            var before = allocated.getOrDefault(claim, Allocated.NONE);
            if (before.source() == allocation) {
                return;
            }
            var devices = DeviceAllocation.of(claim, allocation);
            if (!before.devices().equals(devices)) {
                before.devices().forEach(index::remove);
                devices.forEach(index::add);
            }
            if (devices.isEmpty()) {
                allocated.remove(claim);
            } else {
                allocated.put(claim, new Allocated(allocation, devices));
            }
        }
    }
}
