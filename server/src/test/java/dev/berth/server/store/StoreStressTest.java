package dev.berth.server.store;

import static dev.berth.server.store.StoreContract.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.server.store.etcd.EtcdStore;
import dev.berth.server.store.sqlite.SqliteStore;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Many threads write few keys concurrently, while others watch and list. All results must fit one
/// order, that of the revisions.
class StoreStressTest {

    private static final long SEED = Long.getLong("berth.stress.seed", 7);
    private static final int WRITERS = 8;
    private static final int KEYS = 6;
    private static final CollectionScope SCOPE = CollectionScope.all("pods");
    private static final Duration PATIENT = Duration.ofSeconds(30);

    @TempDir private Path directory;

    /// A successful write.
    ///
    /// @param after the revision that it replaced; 0 for a creation
    /// @param seenBefore the newest revision that its thread had seen before the request
    private record Made(
            ObjectKey key,
            long after,
            long revision,
            Change.Type type,
            long seenBefore,
            long doneAt) {}

    @Test
    void memoryHasOneOrder() throws Exception {
        hasOneOrder(new MemoryStore(), 2_000);
    }

    @Test
    void sqliteHasOneOrder() throws Exception {
        hasOneOrder(SqliteStore.open(directory.resolve(SqliteStore.FILE)), 300);
    }

    @Test
    void etcdHasOneOrder() throws Exception {
        try (var etcd = Etcd.start(directory)) {
            hasOneOrder(EtcdStore.open(etcd.access()), 100);
        }
    }

    private static void hasOneOrder(Store opened, int rounds) throws Exception {
        var made = new ConcurrentLinkedQueue<Made>();
        try (var store = opened;
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var start = store.revision();
            var writers = new ArrayList<Callable<Boolean>>();
            for (var writer = 0; writer < WRITERS; writer++) {
                var random = new Random(SEED + writer);
                writers.add(() -> write(store, random, rounds, made));
            }
            var marker = new ObjectKey("pods", "end", "end");
            var watching = threads.submit(() -> watched(store, start, marker));
            var listing = threads.submit(() -> listed(store, marker));
            for (var writer : threads.invokeAll(writers)) {
                writer.get();
            }
            store.create(marker, bytes(""));

            checkOrder(made);
            checkWatch(made, watching.get());
            checkLists(watching.get(), listing.get());
        }
    }

    private static boolean write(Store store, Random random, int rounds, Collection<Made> made) {
        for (var round = 0; round < rounds; round++) {
            var key = new ObjectKey("pods", "n" + random.nextInt(2), "p" + random.nextInt(KEYS));
            var current = store.get(key);
            var known = store.revision();
            var type =
                    current.isEmpty()
                            ? Change.Type.CREATED
                            : random.nextInt(4) == 0 ? Change.Type.DELETED : Change.Type.UPDATED;
            var expected = current.map(Entry::revision).orElse(0L);
            var result =
                    switch (type) {
                        case CREATED -> store.create(key, bytes("c"));
                        case UPDATED -> store.update(key, expected, bytes("u"));
                        case DELETED -> store.delete(key, expected);
                    };
            if (result instanceof WriteResult.Done(var entry)) {
                made.add(new Made(key, expected, entry.revision(), type, known, store.revision()));
            }
        }
        return true;
    }

    /// Each write replaced exactly the state that the previous one had left, and its revision is
    /// newer than every revision known before the request.
    private static void checkOrder(Collection<Made> made) {
        var inOrder = new ArrayList<>(made);
        inOrder.sort((a, b) -> Long.compare(a.revision, b.revision));
        var current = new HashMap<ObjectKey, Long>();
        var before = 0L;
        for (var write : inOrder) {
            assertThat(write.revision).as("seed %d", SEED).isGreaterThan(before);
            assertThat(write.after).as("%s", write).isEqualTo(current.getOrDefault(write.key, 0L));
            assertThat(write.revision).as("%s", write).isGreaterThan(write.seenBefore);
            assertThat(write.doneAt).as("%s", write).isGreaterThanOrEqualTo(write.revision);
            current.put(write.key, write.type == Change.Type.DELETED ? 0L : write.revision);
            before = write.revision;
        }
    }

    private static void checkWatch(Collection<Made> made, List<Change> watched) {
        var expected =
                made.stream()
                        .sorted((a, b) -> Long.compare(a.revision, b.revision))
                        .map(write -> write.revision + " " + write.type + " " + write.key)
                        .toList();
        assertThat(
                        watched.stream()
                                .map(change ->
                                        change.revision()
                                                + " "
                                                + change.type()
                                                + " "
                                                + change.entry().key()))
                .as("seed %d", SEED)
                .containsExactlyElementsOf(expected);
    }

    /// Each list equals the sum of the changes up to its revision.
    private static void checkLists(List<Change> watched, List<ListResult.Page> pages) {
        for (var page : pages) {
            var objects = new HashMap<ObjectKey, Long>();
            for (var change : watched) {
                if (change.revision() > page.revision()) {
                    break;
                }
                if (change.type() == Change.Type.DELETED) {
                    objects.remove(change.entry().key());
                } else {
                    objects.put(change.entry().key(), change.revision());
                }
            }
            var listed = new HashMap<ObjectKey, Long>();
            page.entries().forEach(entry -> listed.put(entry.key(), entry.revision()));
            assertThat(listed).as("at %d, seed %d", page.revision(), SEED).isEqualTo(objects);
        }
    }

    private static List<Change> watched(Store store, long start, ObjectKey marker)
            throws InterruptedException {
        var seen = new ArrayList<Change>();
        try (var watch = store.watch(SCOPE, start)) {
            while (watch.next(PATIENT) instanceof Watch.Changes(var changes, var _)) {
                for (var change : changes) {
                    if (change.entry().key().equals(marker)) {
                        return seen;
                    }
                    seen.add(change);
                }
            }
        }
        throw new IllegalStateException("the watch has ended before the marker");
    }

    private static List<ListResult.Page> listed(Store store, ObjectKey marker)
            throws InterruptedException {
        var pages = new ArrayList<ListResult.Page>();
        while (store.get(marker).isEmpty() && pages.size() < 200) {
            pages.add((ListResult.Page) store.list(SCOPE, 0, "", 0));
            var old = Math.max(1, store.revision() - 50);
            if (store.list(SCOPE, old, "", 0) instanceof ListResult.Page page) {
                pages.add(page);
            }
            Thread.sleep(2);
        }
        pages.removeIf(page -> page.entries().stream().anyMatch(e -> e.key().equals(marker)));
        return pages;
    }
}
