package dev.berth.bench;

import dev.berth.server.store.CollectionScope;
import dev.berth.server.store.Entry;
import dev.berth.server.store.ListResult;
import dev.berth.server.store.MemoryStore;
import dev.berth.server.store.ObjectKey;
import dev.berth.server.store.Store;
import dev.berth.server.store.Watch;
import dev.berth.server.store.WriteResult;
import dev.berth.server.store.etcd.EtcdAccess;
import dev.berth.server.store.etcd.EtcdStore;
import dev.berth.server.store.sqlite.SqliteStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.LongAdder;

/// Durable creations of 2 KB objects per second with 1, 16 and 128 writers, then the time to open
/// the store, to list it, and to notify many watchers. A plain program instead of JMH, since it
/// mostly measures the disk.
///
/// Arguments: `sqlite DIRECTORY`, `etcd ENDPOINT` or `memory`.
public final class StoreBenchmark {

    private static final int VALUE_BYTES = 2_048;
    private static final Duration MEASURED = Duration.ofSeconds(5);
    private static final int LOADED = 10_000;
    private static final int WATCHERS = 2_000;
    private static final int EVENTS = 100;
    private static final String CLAIMS = "resource.k8s.io/resourceclaims";

    private static final String USAGE = "usage: sqlite DIRECTORY | etcd ENDPOINT | memory";

    private StoreBenchmark() {}

    public static void main(String[] arguments) throws Exception {
        switch (arguments.length == 0 ? "" : arguments[0]) {
            case "sqlite" -> sqlite(Path.of(arguments[1]));
            case "etcd" -> {
                try (var store = EtcdStore.open(EtcdAccess.plain(arguments[1]))) {
                    writes(store);
                }
            }
            case "memory" -> {
                try (var store = new MemoryStore()) {
                    writes(store);
                    watches(store);
                }
            }
            default -> throw new IllegalArgumentException(USAGE);
        }
    }

    private static void sqlite(Path directory) throws IOException, InterruptedException {
        var data = directory.resolve("bench-" + ProcessHandle.current().pid());
        var file = data.resolve(SqliteStore.FILE);
        try (var store = SqliteStore.open(file)) {
            writes(store);
        }
        remove(data);
        try (var store = SqliteStore.open(file)) {
            fill(store, LOADED);
        }
        for (var run = 0; run < 5; run++) {
            var start = System.nanoTime();
            try (var store = SqliteStore.open(file)) {
                System.out.printf("open with %,d objects: %d ms%n", LOADED, millisSince(start));
                lists(store);
                watches(store);
            }
        }
        remove(data);
    }

    private static void writes(Store store) throws InterruptedException {
        for (var writers : new int[] {16, 1, 16, 128}) {
            var rate = creations(store, writers);
            System.out.printf("%3d writers: %,d creations/s%n", writers, rate);
        }
    }

    private static long creations(Store store, int writers) throws InterruptedException {
        var made = new LongAdder();
        var deadline = System.nanoTime() + MEASURED.toNanos();
        var run = System.nanoTime();
        var threads = new ArrayList<Thread>();
        for (var writer = 0; writer < writers; writer++) {
            var number = writer;
            threads.add(
                    Thread.ofVirtual()
                            .start(() -> {
                                var random = new Random(number);
                                for (var i = 0; System.nanoTime() < deadline; i++) {
                                    create(store, run + "-" + number + "-" + i, random);
                                    made.increment();
                                }
                            }));
        }
        for (var thread : threads) {
            thread.join();
        }
        return made.sum() * 1_000_000_000L / (System.nanoTime() - run);
    }

    private static void fill(Store store, int objects) throws InterruptedException {
        var threads = new ArrayList<Thread>();
        for (var writer = 0; writer < 100; writer++) {
            var number = writer;
            threads.add(
                    Thread.ofVirtual()
                            .start(() -> {
                                for (var i = number; i < objects; i += 100) {
                                    create(store, "claim-" + i, new Random(i));
                                }
                            }));
        }
        for (var thread : threads) {
            thread.join();
        }
    }

    private static Entry create(Store store, String name, Random random) {
        var value = new byte[VALUE_BYTES];
        random.nextBytes(value);
        return store.create(new ObjectKey(CLAIMS, "default", name), value)
                        instanceof WriteResult.Done(var made)
                ? made
                : unexpected(name);
    }

    private static Entry unexpected(String name) {
        throw new IllegalStateException(name + " already exists");
    }

    private static void lists(Store store) {
        var start = System.nanoTime();
        var page = (ListResult.Page) store.list(CollectionScope.all(CLAIMS), 0, "", 0);
        var all = System.nanoTime() - start;
        start = System.nanoTime();
        var part = (ListResult.Page) store.list(new CollectionScope(CLAIMS, "default"), 0, "", 500);
        System.out.printf(
                "list of %,d: %,d µs; of 500 with %,d remaining: %,d µs%n",
                page.entries().size(),
                all / 1_000,
                part.remaining(),
                (System.nanoTime() - start) / 1_000);
    }

    /// Many watchers of one collection receive consecutive events.
    private static void watches(Store store) throws InterruptedException {
        var done = new CountDownLatch(WATCHERS);
        var scope = CollectionScope.all("watched");
        var from = store.revision();
        for (var i = 0; i < WATCHERS; i++) {
            Thread.ofVirtual().start(() -> watch(store, scope, from, done));
        }
        var start = System.nanoTime();
        for (var i = 0; i < EVENTS; i++) {
            store.create(new ObjectKey("watched", "n", from + "-" + i), new byte[VALUE_BYTES]);
        }
        done.await();
        System.out.printf(
                "%,d watchers × %d events: %d ms%n", WATCHERS, EVENTS, millisSince(start));
    }

    private static void watch(Store store, CollectionScope scope, long from, CountDownLatch done) {
        try (var watch = store.watch(scope, from)) {
            var seen = 0;
            while (seen < EVENTS) {
                var progress = watch.next(Duration.ofSeconds(30));
                if (progress instanceof Watch.Changes(var changes, var _)) {
                    seen += changes.size();
                }
            }
            done.countDown();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static long millisSince(long start) {
        return (System.nanoTime() - start) / 1_000_000;
    }

    private static void remove(Path directory) throws IOException {
        try (var files = Files.list(directory)) {
            for (var file : files.toList()) {
                Files.delete(file);
            }
        }
        Files.delete(directory);
    }
}
