package dev.berth.server.allocation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.server.registry.StoredObjects;
import dev.berth.server.store.CollectionScope;
import dev.berth.server.store.Entry;
import dev.berth.server.store.ListResult;
import dev.berth.server.store.MemoryStore;
import dev.berth.server.store.Store;
import dev.berth.server.store.StoreException;
import dev.berth.server.store.Watch;
import dev.berth.server.store.sqlite.SqliteStore;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Random allocations, deallocations and deletions, also by concurrent writers whose writes
/// conflict or fail: no stored state exceeds a limit, and released devices can be allocated again.
class AllocationRaceTest {

    private static final int CLAIMS = 10;
    private static final int WRITERS = 6;
    private static final int STEPS = 400;

    private static void publish(GuardedClaims claims) {
        var devices = new ArrayList<String>();
        AllocationOracle.CAPACITIES.forEach((name, amount) ->
                devices.add(
                        "{name: %s, allowMultipleAllocations: true, capacity: {amount: %s}}"
                                .formatted(name, value(amount))));
        claims.publish(
                "shared",
                "{name: shared, generation: 1, resourceSliceCount: 1}",
                "{devices: %s}".formatted(devices));
        var partitions = new ArrayList<String>();
        AllocationOracle.CONSUMPTIONS.forEach((name, amount) ->
                partitions.add(
                        "{name: %s, consumesCounters: [{counterSet: c, counters: {n: %s}}]}"
                                .formatted(name, value(amount))));
        var pool = "{name: parts, generation: 1, resourceSliceCount: 2}";
        claims.publish("parts", pool, "{devices: %s}".formatted(partitions));
        claims.publish(
                "counters",
                pool,
                "{sharedCounters: [{name: c, counters: {n: %s}}]}"
                        .formatted(value(AllocationOracle.COUNTER)));
    }

    private static String value(int amount) {
        return "{value: '%d'}".formatted(amount);
    }

    private static String[] results(Random random) {
        var results = new String[1 + random.nextInt(2)];
        for (var i = 0; i < results.length; i++) {
            results[i] =
                    switch (random.nextInt(3)) {
                        case 0 -> "{pool: plain, device: d%d}".formatted(random.nextInt(4));
                        case 1 -> "{pool: parts, device: p%d}".formatted(random.nextInt(5));
                        default ->
                                share(random.nextInt(3), random.nextInt(12), 1 + random.nextInt(4));
                    };
        }
        return results;
    }

    private static String share(int device, int share, int amount) {
        return "{pool: shared, device: s%d, shareID: u%d, consumedCapacity: {amount: '%d'}}"
                .formatted(device, share, amount);
    }

    @Test
    void guardAgreesWithTheOracle() {
        for (var seed = 0; seed < 20; seed++) {
            try (var store = new MemoryStore()) {
                var claims = new GuardedClaims(store);
                publish(claims);
                var random = new Random(seed);
                for (var step = 0; step < 200; step++) {
                    compare(claims, store, random, "seed %d step %d".formatted(seed, step));
                }
            }
        }
    }

    private static void compare(GuardedClaims claims, Store store, Random random, String where) {
        var name = "c" + random.nextInt(CLAIMS);
        var entry = claims.entry(name);
        if (StoredObjects.tree(entry).has("status")) {
            if (random.nextBoolean()) {
                claims.deallocate(name);
            } else {
                claims.delete(name);
            }
            return;
        }
        var results = results(random);
        var oracle = state(store);
        oracle.put(entry.key(), GuardedClaims.allocated(StoredObjects.tree(entry), results));
        assertThat(claims.allocate(entry, results).isPresent())
                .as(where)
                .isEqualTo(oracle.overallocated().isPresent());
    }

    private static AllocationOracle state(Store store) {
        var oracle = new AllocationOracle();
        if (store.list(CollectionScope.all(GuardedClaims.CLAIMS), 0, "", 0)
                instanceof ListResult.Page page) {
            page.entries().forEach(entry -> oracle.put(entry.key(), StoredObjects.tree(entry)));
        }
        return oracle;
    }

    @Test
    void concurrentWritersNeverOverallocate(@TempDir Path directory) throws Exception {
        for (var life = 0; life < 3; life++) {
            try (var store = SqliteStore.open(directory.resolve("store.db"))) {
                var claims = new GuardedClaims(store);
                publish(claims);
                var before = store.revision();
                var initial = state(store);
                assertThat(race(claims, store, life)).isGreaterThan(WRITERS);
                assertThat(replay(store, initial, before)).isGreaterThan(WRITERS);
                if (life == 2) {
                    claims.pass(Duration.ofMinutes(1));
                    releaseAll(claims, store);
                    allocateAll(claims);
                }
            }
        }
    }

    /// Returns the number of allocations that were certainly written.
    private static int race(GuardedClaims claims, Store store, int life) throws Exception {
        try (var threads = Executors.newFixedThreadPool(WRITERS)) {
            var writers = new ArrayList<Callable<Integer>>();
            for (var i = 0; i < WRITERS; i++) {
                var random = new Random(life * 100L + i);
                writers.add(() -> write(claims, store, random));
            }
            var written = 0;
            for (Future<Integer> writer : threads.invokeAll(writers)) {
                written += writer.get();
            }
            return written;
        }
    }

    private static int write(GuardedClaims claims, Store store, Random random) {
        var written = 0;
        var read = claims.entry("c0");
        for (var step = 0; step < STEPS; step++) {
            // Occasionally a writer continues with a claim that it has read before.
            if (random.nextInt(4) > 0) {
                read = claims.entry("c" + random.nextInt(CLAIMS));
            }
            switch (random.nextInt(10)) {
                case 0 -> claims.delete(read.key().name());
                case 1, 2 -> claims.allocate(read);
                case 3 -> fail(claims, store, read, random);
                default -> written += claims.allocate(read, results(random)).isEmpty() ? 1 : 0;
            }
            if (random.nextInt(50) == 0) {
                publish(claims);
            }
        }
        return written;
    }

    /// A write that fails with a store error, whether it was stored or not.
    private static void fail(GuardedClaims claims, Store store, Entry read, Random random) {
        var isWritten = random.nextBoolean();
        try {
            var _ =
                    claims.write(
                            read,
                            results(random),
                            value -> {
                                if (isWritten) {
                                    var _ = store.update(read.key(), read.revision(), value);
                                }
                                throw new StoreException("no answer in time");
                            });
        } catch (StoreException _) {
            // The guard does not learn whether the write was stored.
        }
    }

    /// Checks every state after a revision. Returns the number of states.
    private static int replay(Store store, AllocationOracle oracle, long after)
            throws InterruptedException {
        var states = 0;
        try (var watch = store.watch(CollectionScope.all(GuardedClaims.CLAIMS), after)) {
            while (watch.next(Duration.ZERO) instanceof Watch.Changes(var changes, _)
                    && !changes.isEmpty()) {
                for (var change : changes) {
                    oracle.apply(change);
                    assertThat(oracle.overallocated())
                            .as("revision %d", change.revision())
                            .isEqualTo(Optional.empty());
                    states++;
                }
            }
        }
        return states;
    }

    private static void releaseAll(GuardedClaims claims, Store store) {
        for (var i = 0; i < CLAIMS; i++) {
            claims.delete("c" + i);
        }
        assertThat(store.list(CollectionScope.all(GuardedClaims.CLAIMS), 0, "", 0))
                .isInstanceOfSatisfying(
                        ListResult.Page.class, page -> assertThat(page.entries()).isEmpty());
    }

    private static void allocateAll(GuardedClaims claims) {
        var everything =
                List.of(
                        "{pool: plain, device: d0}",
                        "{pool: plain, device: d1}",
                        "{pool: plain, device: d2}",
                        "{pool: plain, device: d3}",
                        "{pool: parts, device: p2}",
                        "{pool: parts, device: p4}",
                        share(0, 0, 10),
                        share(1, 0, 6),
                        share(2, 0, 3));
        for (var i = 0; i < everything.size(); i++) {
            assertThat(claims.allocate("e" + i, everything.get(i))).isEmpty();
        }
    }
}
