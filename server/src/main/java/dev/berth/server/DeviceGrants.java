package dev.berth.server;

import dev.berth.model.api.DeviceId;
import dev.berth.model.json.JsonObject;
import dev.berth.server.registry.Failure;
import dev.berth.server.registry.Gatekeepers;
import dev.berth.server.registry.Objects;
import dev.berth.server.store.Key;
import dev.berth.server.store.Listing;
import dev.berth.server.store.Scope;
import dev.berth.server.store.Store;
import dev.berth.server.store.Write;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/// Refuses to give a device to two claims, whatever schedulers there are. A server of Kubernetes
/// leaves that to them, and two that do not know of each other, or one that does not look again
/// before it binds a pod, give devices twice.
///
/// It knows of all grants that go through this server. Where several servers share one etcd, those
/// of the others are known only from the time before the first grant here.
final class DeviceGrants implements Gatekeepers.Guard {

    private static final String CLAIMS = "resource.k8s.io/resourceclaims";

    /// Who got a device last. Of two that give it to the same claim at once one has it: these are
    /// told apart by identity.
    private static final class Holder {
        private final Key claim;

        /// Whether that is still being written.
        private final boolean isUnderWay;

        private Holder(Key claim, boolean isUnderWay) {
            this.claim = claim;
            this.isUnderWay = isUnderWay;
        }
    }

    private final Store store;

    // Devices that were given back stay: whether a claim still has its device is looked up in it.
    private final Map<DeviceId, Holder> holders = new ConcurrentHashMap<>();

    // Guarded by this.
    private boolean isLoaded;

    DeviceGrants(Store store) {
        this.store = store;
    }

    @Override
    public Write guarded(Gatekeepers.Wish wish, Supplier<Write> writing) {
        var given = given(wish);
        if (given.isEmpty()) {
            return writing.get();
        }
        load();
        var own = new Holder(claim(wish), true);
        var isDone = false;
        try {
            given.forEach(device -> take(device, own, wish));
            var write = writing.get();
            isDone = write instanceof Write.Done;
            return write;
        } finally {
            var settled =
                    isDone ? Optional.of(new Holder(own.claim, false)) : Optional.<Holder>empty();
            given.forEach(device -> settle(device, own, settled));
        }
    }

    @Override
    public void check(Gatekeepers.Wish wish) {
        var given = given(wish);
        if (!given.isEmpty()) {
            load();
        }
        for (var device : given) {
            var holder = holders.get(device);
            if (holder != null && isTaken(device, holder, claim(wish))) {
                throw refusal(device, holder, wish);
            }
        }
    }

    /// The devices that a claim gets for itself and did not have before.
    private static Set<DeviceId> given(Gatekeepers.Wish wish) {
        if (!wish.resource().collection().equals(CLAIMS)) {
            return Set.of();
        }
        var now = devices(wish.object());
        if (!now.isEmpty()) {
            wish.old().ifPresent(old -> now.removeAll(devices(old)));
        }
        return now;
    }

    private static Set<DeviceId> devices(JsonObject claim) {
        var devices = new HashSet<DeviceId>();
        var allocation = claim.objectOrEmpty("status").objectOrEmpty("allocation");
        for (var one : allocation.objectOrEmpty("devices").objects("results")) {
            // Shares can be many, and administrators look on.
            if (!one.has("shareID") && !one.flag("adminAccess").orElse(false)) {
                devices.add(new DeviceId(one.text("driver"), one.text("pool"), one.text("device")));
            }
        }
        return devices;
    }

    private static Key claim(Gatekeepers.Wish wish) {
        var name = wish.object().objectOrEmpty("metadata").text("name");
        return new Key(CLAIMS, wish.namespace(), name);
    }

    /// Learns what was given before this server was started.
    private synchronized void load() {
        if (isLoaded || !(store.list(Scope.all(CLAIMS), 0, "", 0) instanceof Listing.Page page)) {
            return;
        }
        for (var entry : page.entries()) {
            for (var device : devices(Objects.tree(entry))) {
                holders.put(device, new Holder(entry.key(), false));
            }
        }
        isLoaded = true;
    }

    private void take(DeviceId device, Holder own, Gatekeepers.Wish wish) {
        var holder =
                holders.compute(
                        device,
                        (_, before) ->
                                before != null && isTaken(device, before, own.claim)
                                        ? before
                                        : own);
        if (holder != own) {
            throw refusal(device, holder, wish);
        }
    }

    private boolean isTaken(DeviceId device, Holder holder, Key claim) {
        return holder.isUnderWay || (!holder.claim.equals(claim) && has(holder.claim, device));
    }

    private boolean has(Key claim, DeviceId device) {
        return store.get(claim)
                .filter(entry -> devices(Objects.tree(entry)).contains(device))
                .isPresent();
    }

    private void settle(DeviceId device, Holder own, Optional<Holder> settled) {
        holders.computeIfPresent(
                device, (_, holder) -> holder == own ? settled.orElse(null) : holder);
    }

    private static RuntimeException refusal(DeviceId device, Holder holder, Gatekeepers.Wish wish) {
        return Failure.conflict(
                        wish.resource().about(claim(wish).name()),
                        "device %s/%s/%s is allocated to claim %s/%s; choose another"
                                .formatted(
                                        device.driver(),
                                        device.pool(),
                                        device.device(),
                                        holder.claim.namespace(),
                                        holder.claim.name()))
                .refused();
    }
}
