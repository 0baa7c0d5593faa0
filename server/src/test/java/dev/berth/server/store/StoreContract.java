package dev.berth.server.store;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Contract of all stores.
public abstract class StoreContract {

    private static final Duration SOON = Duration.ofMillis(20);
    private static final Duration PATIENT = Duration.ofSeconds(30);
    private static final String CLAIMS = "resource.k8s.io/resourceclaims";
    private static final CollectionScope ALL = CollectionScope.all(CLAIMS);

    private Store store;

    protected abstract Store open() throws Exception;

    @BeforeEach
    public final void openStore() throws Exception {
        store = open();
    }

    @AfterEach
    public final void closeStore() {
        store.close();
    }

    @Test
    void aCreatedObjectCanBeRead() {
        var made = create("a", "1");

        assertThat(store.get(key("a"))).contains(made);
        assertThat(made.revision()).isEqualTo(store.revision());
        assertThat(text(made)).isEqualTo("1");
        assertThat(store.get(key("b"))).isEmpty();
    }

    @Test
    void anObjectIsCreatedOnce() {
        var made = create("a", "1");
        var newest = store.revision();

        var again = store.create(key("a"), bytes("2"));

        assertThat(again)
                .isInstanceOfSatisfying(
                        WriteResult.Exists.class,
                        exists -> assertThat(same(exists.current(), made)).isTrue());
        assertThat(store.get(key("a")).map(StoreContract::text)).contains("1");
        assertThat(store.revision()).isEqualTo(newest);
    }

    @Test
    void anUpdateNeedsTheNewestRevision() {
        var first = create("a", "1");
        var second = done(store.update(key("a"), first.revision(), bytes("2")));

        var late = store.update(key("a"), first.revision(), bytes("3"));

        assertThat(second.revision()).isGreaterThan(first.revision());
        assertThat(late)
                .isInstanceOfSatisfying(
                        WriteResult.Conflict.class,
                        conflict -> assertThat(same(conflict.current(), second)).isTrue());
        assertThat(store.get(key("a")).map(StoreContract::text)).contains("2");
    }

    @Test
    void aMissingObjectCannotBeUpdatedOrDeleted() {
        assertThat(store.update(key("a"), 1, bytes("2"))).isInstanceOf(WriteResult.Missing.class);
        assertThat(store.delete(key("a"), 1)).isInstanceOf(WriteResult.Missing.class);
    }

    @Test
    void aDeletionNeedsTheNewestRevisionAndHasItsOwn() {
        var made = create("a", "1");
        var newer = done(store.update(key("a"), made.revision(), bytes("2")));

        var late = store.delete(key("a"), made.revision());
        var deleted = done(store.delete(key("a"), newer.revision()));

        assertThat(late).isInstanceOf(WriteResult.Conflict.class);
        assertThat(deleted.revision()).isGreaterThan(newer.revision());
        assertThat(text(deleted)).isEqualTo("2");
        assertThat(store.get(key("a"))).isEmpty();
        assertThat(store.revision()).isEqualTo(deleted.revision());
    }

    @Test
    void aDeletedObjectCanBeCreatedAgain() {
        var made = create("a", "1");
        var deleted = done(store.delete(key("a"), made.revision()));

        assertThat(create("a", "3").revision()).isGreaterThan(deleted.revision());
    }

    @Test
    void anEmptyValueIsAValue() {
        create("a", "");

        assertThat(store.get(key("a")).map(StoreContract::text)).contains("");
    }

    @Test
    void listsAreInTheOrderOfPathsAndPerCollection() {
        for (var name : List.of("c", "a", "b")) {
            create(name, name);
        }
        done(
                store.create(
                        new ObjectKey("resource.k8s.io/resourceclaimtemplates", "n", "x"),
                        bytes("")));
        done(store.create(new ObjectKey("resource.k8s.io", "n", "y"), bytes("")));

        assertThat(names(page(ALL, 0, "", 0))).containsExactly("a", "b", "c");
        assertThat(page(ALL, 0, "", 0).revision()).isEqualTo(store.revision());
    }

    @Test
    void aNamespaceIsListedWithoutOthersOfTheSamePrefix() {
        for (var namespace : List.of("n", "n-1", "n1", "m", "n.a")) {
            done(store.create(new ObjectKey(CLAIMS, namespace, "x"), bytes(namespace)));
            done(store.create(new ObjectKey(CLAIMS, namespace, "y"), bytes(namespace)));
        }

        var one = page(new CollectionScope(CLAIMS, "n"), 0, "", 0);
        var part = page(new CollectionScope(CLAIMS, "n"), 0, "", 1);

        assertThat(one.entries()).extracting(StoreContract::text).containsExactly("n", "n");
        assertThat(names(part)).containsExactly("x");
        assertThat(part.remaining()).isEqualTo(1);
        assertThat(names(page(new CollectionScope(CLAIMS, "n"), 0, "n/x", 1))).containsExactly("y");
        assertThat(names(page(new CollectionScope(CLAIMS, "o"), 0, "", 0))).isEmpty();
    }

    @Test
    void clusterScopedObjectsHaveNoNamespace() {
        var classes = "resource.k8s.io/deviceclasses";
        done(store.create(new ObjectKey(classes, "", "gpu"), bytes("1")));

        assertThat(names(page(CollectionScope.all(classes), 0, "", 0))).containsExactly("gpu");
        assertThat(store.get(new ObjectKey(classes, "", "gpu"))).isPresent();
    }

    @Test
    void pagesAddUpToTheList() {
        IntStream.range(0, 25).forEach(i -> create("c" + (100 + i), "1"));
        var all = names(page(ALL, 0, "", 0));

        var seen = new ArrayList<String>();
        var page = page(ALL, 0, "", 10);
        var revision = page.revision();
        seen.addAll(names(page));
        assertThat(page.remaining()).isEqualTo(15);
        create("b", "comes too late for this list");
        page = page(ALL, revision, page.entries().getLast().key().relativePath(), 10);
        seen.addAll(names(page));
        assertThat(page.remaining()).isEqualTo(5);
        page = page(ALL, revision, page.entries().getLast().key().relativePath(), 10);
        seen.addAll(names(page));

        assertThat(page.remaining()).isZero();
        assertThat(page.revision()).isEqualTo(revision);
        assertThat(seen).isEqualTo(all);
    }

    @Test
    void anOlderStateCanBeListed() {
        var a = create("a", "1");
        var b = create("b", "1");
        var then = store.revision();
        done(store.update(key("a"), a.revision(), bytes("2")));
        done(store.delete(key("b"), b.revision()));
        create("c", "1");

        var page = page(ALL, then, "", 0);

        assertThat(page.entries())
                .extracting(entry -> entry.key().name() + text(entry))
                .containsExactly("a1", "b1");
        assertThat(page.revision()).isEqualTo(then);
        assertThat(names(page(ALL, then - 1, "", 0))).containsExactly("a");
    }

    @Test
    void aFutureRevisionCannotBeListed() {
        var newest = store.revision();

        assertThat(store.list(ALL, newest + 1, "", 0)).isEqualTo(new ListResult.Future(newest));
    }

    @Test
    void aCompactedRevisionCannotBeListedOrWatched() throws Exception {
        var first = create("a", "1").revision();
        var second = create("b", "1").revision();
        create("c", "1");

        store.compact(second);

        assertThat(store.list(ALL, first, "", 0)).isEqualTo(new ListResult.Compacted(second));
        assertThat(names(page(ALL, second, "", 0))).containsExactly("a", "b");
        assertThat(names(page(ALL, 0, "", 0))).containsExactly("a", "b", "c");
        try (var late = store.watch(ALL, first);
                var inTime = store.watch(ALL, second)) {
            assertThat(late.next(SOON)).isEqualTo(new Watch.TooOld(second));
            assertThat(changes(inTime.next(SOON))).containsExactly("CREATED c");
        }
    }

    @Test
    void aWatchReturnsChangesAfterItsRevision() throws Exception {
        var a = create("a", "1");
        try (var watch = store.watch(ALL, a.revision())) {
            var newer = done(store.update(key("a"), a.revision(), bytes("2")));
            create("b", "1");
            var deleted = done(store.delete(key("a"), newer.revision()));

            var progress = (Watch.Changes) watch.next(PATIENT);

            assertThat(changes(progress)).containsExactly("UPDATED a", "CREATED b", "DELETED a");
            assertThat(progress.revision()).isEqualTo(store.revision());
            var last = progress.changes().getLast();
            assertThat(last.revision()).isEqualTo(deleted.revision());
            assertThat(text(last.entry())).isEqualTo("2");
            assertThat(last.previous().orElseThrow().revision()).isEqualTo(newer.revision());
            var first = progress.changes().getFirst();
            assertThat(first.previous().map(StoreContract::text)).contains("1");
            assertThat(progress.changes().get(1).previous()).isEmpty();
        }
    }

    @Test
    void aWatchAdvancesWhenOtherScopesChange() throws Exception {
        try (var watch = store.watch(new CollectionScope(CLAIMS, "other"), store.revision())) {
            create("a", "1");
            done(store.create(new ObjectKey("pods", "other", "p"), bytes("")));

            var progress = watch.next(SOON);

            assertThat(progress).isEqualTo(new Watch.Changes(List.of(), store.revision()));
        }
    }

    @Test
    void aWaitingWatcherIsWoken() throws Exception {
        try (var watch = store.watch(new CollectionScope(CLAIMS, "n"), store.revision());
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var waiting = threads.submit(() -> watch.next(PATIENT));
            create("a", "1");

            assertThat(changes(waiting.get())).containsExactly("CREATED a");
        }
    }

    @Test
    void closingEndsWatches() throws Exception {
        var closed = store.watch(ALL, store.revision());
        var watch = store.watch(ALL, store.revision());
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var first = threads.submit(() -> closed.next(Duration.ofDays(1)));
            var second = threads.submit(() -> watch.next(Duration.ofDays(1)));
            var third = threads.submit(() -> store.await(Long.MAX_VALUE, Duration.ofDays(1)));

            closed.close();
            assertThat(first.get()).isEqualTo(new Watch.Ended());
            store.close();
            assertThat(second.get()).isEqualTo(new Watch.Ended());
            assertThat(third.get()).isFalse();
        }
    }

    @Test
    void aRevisionCanBeAwaited() throws Exception {
        var next = store.revision() + 1;
        assertThat(store.await(next, SOON)).isFalse();
        assertThat(store.await(store.revision(), SOON)).isTrue();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var waiting = threads.submit(() -> store.await(next, PATIENT));
            create("a", "1");

            assertThat(waiting.get()).isTrue();
        }
        assertThat(store.sync()).isEqualTo(store.revision());
    }

    /// Many writers increment one number with retries. A lost update would be missing in the sum.
    @Test
    void noUpdateIsLost() throws Exception {
        create("sum", "0");
        var writers = 8;
        var rounds = 25;

        together(writers, () -> IntStream.range(0, rounds).forEach(_ -> increment("sum")));

        assertThat(store.get(key("sum")).map(StoreContract::text))
                .contains(Integer.toString(writers * rounds));
    }

    @Test
    void oneOfManyCreatorsWins() throws Exception {
        var won =
                together(16, () -> store.create(key("a"), bytes("1")) instanceof WriteResult.Done);

        assertThat(won).containsOnlyOnce(true);
    }

    private void increment(String name) {
        while (true) {
            var current = store.get(key(name)).orElseThrow();
            var next = Integer.toString(Integer.parseInt(text(current)) + 1);
            if (store.update(key(name), current.revision(), bytes(next))
                    instanceof WriteResult.Done) {
                return;
            }
        }
    }

    private static void together(int threads, Runnable work) throws Exception {
        together(
                threads,
                () -> {
                    work.run();
                    return true;
                });
    }

    private static <T> List<T> together(int threads, Callable<T> work)
            throws InterruptedException, ExecutionException {
        try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
            var results = new ArrayList<T>();
            for (var future : executor.invokeAll(Collections.nCopies(threads, work))) {
                results.add(future.get());
            }
            return results;
        }
    }

    private Entry create(String name, String value) {
        return done(store.create(key(name), bytes(value)));
    }

    private ListResult.Page page(CollectionScope scope, long revision, String after, int limit) {
        return (ListResult.Page) store.list(scope, revision, after, limit);
    }

    public static Entry done(WriteResult write) {
        assertThat(write).isInstanceOf(WriteResult.Done.class);
        return ((WriteResult.Done) write).entry();
    }

    private static boolean same(Entry one, Entry other) {
        return one.key().equals(other.key())
                && one.revision() == other.revision()
                && text(one).equals(text(other));
    }

    private static List<String> names(ListResult.Page page) {
        return page.entries().stream().map(entry -> entry.key().name()).toList();
    }

    private static List<String> changes(Watch.Progress progress) {
        return ((Watch.Changes) progress)
                .changes().stream()
                        .map(change -> change.type() + " " + change.entry().key().name())
                        .toList();
    }

    private static ObjectKey key(String name) {
        return new ObjectKey(CLAIMS, "n", name);
    }

    public static byte[] bytes(String text) {
        return text.getBytes(UTF_8);
    }

    public static String text(Entry entry) {
        return new String(entry.bytes(), UTF_8);
    }
}
