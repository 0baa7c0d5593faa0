package dev.berth.server.allocation;

import dev.berth.core.admission.FeatureGates;
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

/// Refuses allocations that overlap: a device for two claims, shares beyond the capacity of their
/// device, devices beyond the shared counters of their pool; see [AllocationIndex]. A server of
/// Kubernetes leaves that to its scheduler, and two schedulers that do not know of each other, or
/// one that does not look again before it binds a pod, allocate devices twice.
///
/// A write that allocates is checked against all stored allocations and all reservations of writes
/// that are under way, and becomes a reservation itself, in one step under a lock; the write itself
/// takes place outside of it. Every write compares the revision of its claim, so a reservation
/// means something only as long as its claim has the revision that the write expects: afterwards
/// the write is part of what is stored, or it has failed and always will. So reservations end with
/// the change that decides them, never by the outcome of another write. Only one that was not
/// written for certain ends before, and one whose outcome is unknown (the store failed in between)
/// after some time.
///
/// Of several servers that share one etcd, each sees the allocations of the others as soon as its
/// watch has delivered them, but not their reservations: two servers can allocate one device in the
/// same moment.
public final class AllocationGuard implements AdmissionChain.Guard {

    private static final String CLAIMS = "resource.k8s.io/resourceclaims";
    private static final String SLICES = "resource.k8s.io/resourceslices";

    /// A write of unknown outcome is not carried out later than this: etcd gives up on requests
    /// after seven seconds.
    private static final Duration IN_DOUBT = Duration.ofSeconds(30);

    /// The devices of a write that is under way. Compared by identity: writes may be equal.
    private static final class Reservation {
        private final ObjectKey claim;

        /// Of the claim that the write replaces; 0 when it creates it.
        private final long revision;

        private final List<DeviceAllocation> devices;

        /// When a write of unknown outcome is taken to have failed.
        private Instant end = Instant.MAX;

        Reservation(AdmissionChain.PendingWrite wish, List<DeviceAllocation> devices) {
            this.claim = claim(wish);
            this.revision = wish.revision();
            this.devices = devices;
        }
    }

    /// The stored allocation of a claim.
    ///
    /// @param source the `status.allocation` from which the devices were read
    private record Allocated(JsonObject source, List<DeviceAllocation> devices) {

        static final Allocated NONE = new Allocated(JsonObject.EMPTY, List.of());
    }

    private final Store store;
    private final Clock clock;
    private final PublishedPools pools;
    private final CollectionCursor claimChanges;
    private final CollectionCursor sliceChanges;
    private final Stored stored = new Stored();

    // Guards the index and everything that is in it. No write of the store happens under it.
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
    public WriteResult guarded(AdmissionChain.PendingWrite wish, Supplier<WriteResult> writing) {
        var wanted = wanted(wish);
        if (wanted.isEmpty()) {
            return writing.get();
        }
        var reservation = new Reservation(wish, wanted);
        if (!reserve(reservation, wish)) {
            return writing.get();
        }
        Optional<Boolean> isWritten = Optional.empty();
        try {
            var write = writing.get();
            isWritten = Optional.of(write instanceof WriteResult.Done);
            return write;
        } catch (ApiException e) {
            isWritten = Optional.of(false);
            throw e;
        } finally {
            end(reservation, isWritten);
        }
    }

    @Override
    public void check(AdmissionChain.PendingWrite wish) {
        var wanted = wanted(wish);
        if (wanted.isEmpty()) {
            return;
        }
        var reservation = new Reservation(wish, wanted);
        if (reserve(reservation, wish)) {
            end(reservation, Optional.of(false));
        }
    }

    /// The devices that a write allocates to its claim; empty when the claim has all of them
    /// already.
    @SuppressWarnings("ReferenceEquality") // most writes leave the allocation the same object
    private static List<DeviceAllocation> wanted(AdmissionChain.PendingWrite wish) {
        if (!wish.resource().collection().equals(CLAIMS)) {
            return List.of();
        }
        var after = DeviceAllocation.allocation(wish.object());
        var before = DeviceAllocation.allocation(wish.old().orElse(JsonObject.EMPTY));
        if (after == before) {
            return List.of();
        }
        var claim = claim(wish);
        var wanted = DeviceAllocation.of(claim, after);
        var owned = new ArrayList<>(DeviceAllocation.of(claim, before));
        return wanted.stream().allMatch(owned::remove) ? List.of() : wanted;
    }

    private static ObjectKey claim(AdmissionChain.PendingWrite wish) {
        var name = wish.object().objectOrEmpty("metadata").text("name");
        return new ObjectKey(CLAIMS, wish.namespace(), name);
    }

    /// False when there is nothing to reserve, since the claim has changed and the write will not
    /// take place.
    private boolean reserve(Reservation reservation, AdmissionChain.PendingWrite wish) {
        lock.lock();
        try {
            claimChanges.catchUp(stored);
            sliceChanges.catchUp(pools);
            endDoubts();
            if (revision(reservation.claim) != reservation.revision) {
                return false;
            }
            var conflict = add(reservation);
            if (conflict.isPresent()) {
                throw ApiError.conflict(
                                wish.resource().about(reservation.claim.name()), conflict.get())
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

    /// Adds the devices of a reservation to the index or, if one does not fit, none. What the same
    /// claim has, or gets by other writes, is not in the way: one of these writes replaces it.
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

    /// Ends a reservation whose write did not take place. If it did, the change will end it.
    private void end(Reservation reservation, Optional<Boolean> isWritten) {
        if (isWritten.orElse(false)) {
            return;
        }
        lock.lock();
        try {
            if (isWritten.isPresent()) {
                remove(reservation);
            } else {
                reservation.end = clock.instant().plus(IN_DOUBT);
                inDoubt.add(reservation);
            }
        } finally {
            lock.unlock();
        }
    }

    private void endDoubts() {
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

    /// Follows what is stored of claims.
    private final class Stored implements CollectionCursor.Listener {

        @Override
        public void reload(List<Entry> entries) {
            index.clear();
            allocated.clear();
            entries.forEach(entry -> allocate(entry.key(), allocation(entry)));
            var known = reserved.values().stream().flatMap(List::stream).toList();
            known.forEach(one -> one.devices.forEach(index::add));
            for (var one : known) {
                decide(one.claim, revision(one.claim));
            }
        }

        @Override
        public void apply(Change change) {
            var claim = change.entry().key();
            decide(claim, change.revision());
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
        private void decide(ObjectKey claim, long revision) {
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

        @SuppressWarnings("ReferenceEquality") // as in wanted
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
