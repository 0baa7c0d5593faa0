package dev.berth.server.store;

import static dev.berth.server.store.StoreContract.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/// Limits and wake-ups of the history.
class HistoryTest {

    private static final Duration DAY = Duration.ofDays(1);
    private static final CollectionScope PODS = CollectionScope.all("pods");

    @Test
    void theOldestChangesAreDroppedByCount() throws Exception {
        var history = new History(1, List.of(), 10, 1 << 20);
        for (var revision = 2; revision <= 20; revision++) {
            history.apply(created("pods", "p" + revision, revision));
        }

        assertThat(history.watch(PODS, 9).next(Duration.ZERO)).isEqualTo(new Watch.TooOld(10));
        var kept = (Watch.Changes) history.watch(PODS, 10).next(Duration.ZERO);
        assertThat(kept.changes()).hasSize(10);
        assertThat(history.list(PODS, 9, "", 0)).isEqualTo(new ListResult.Compacted(10));
        assertThat(((ListResult.Page) history.list(PODS, 10, "", 0)).entries()).hasSize(9);
    }

    @Test
    void theOldestChangesAreDroppedBySize() throws Exception {
        var history = new History(1, List.of(), 1_000, 10_000);
        var key = new ObjectKey("pods", "n", "p");
        var before = Optional.<Entry>empty();
        for (var revision = 2; revision <= 50; revision++) {
            var now = new Entry(key, revision, new byte[800]);
            var type = before.isEmpty() ? Change.Type.CREATED : Change.Type.UPDATED;
            history.apply(new Change(type, now, before));
            before = Optional.of(now);
        }

        // Each change holds the 800 bytes that it replaced and 200 for itself.
        assertThat(history.watch(PODS, 39).next(Duration.ZERO)).isEqualTo(new Watch.TooOld(40));
        assertThat(history.watch(PODS, 40).next(Duration.ZERO)).isInstanceOf(Watch.Changes.class);
    }

    @Test
    void aQuietCollectionKeepsItsHistoryWhileOthersAreBusy() throws Exception {
        var history = new History(1, List.of(), 10, 1 << 20);
        try (var watch = history.watch(PODS, 1)) {
            for (var revision = 2; revision <= 100; revision++) {
                history.apply(created("leases", "l" + revision, revision));
            }

            assertThat(watch.next(Duration.ZERO)).isEqualTo(new Watch.Changes(List.of(), 100));
            assertThat(history.list(PODS, 5, "", 0)).isInstanceOf(ListResult.Page.class);
        }
    }

    @Test
    void aSlowWatcherIsTooOld() throws Exception {
        var history = new History(1, List.of(), 10, 1 << 20);
        try (var watch = history.watch(PODS, 1)) {
            history.apply(created("pods", "first", 2));
            assertThat(watch.next(DAY)).isInstanceOf(Watch.Changes.class);
            for (var revision = 3; revision <= 20; revision++) {
                history.apply(created("pods", "p" + revision, revision));
            }

            assertThat(watch.next(DAY)).isEqualTo(new Watch.TooOld(10));
        }
    }

    @Test
    void manyChangesComeInBatches() throws Exception {
        var history = new History(1);
        var total = 2 * History.MAX_WATCH_BATCH + 5;
        for (var i = 0; i < total; i++) {
            history.apply(created("pods", "p" + i, i + 2));
        }
        try (var watch = history.watch(PODS, 1)) {
            var first = (Watch.Changes) watch.next(DAY);
            var second = (Watch.Changes) watch.next(DAY);
            var third = (Watch.Changes) watch.next(DAY);

            assertThat(first.revision()).isEqualTo(first.changes().getLast().revision());
            assertThat(first.changes()).hasSize(History.MAX_WATCH_BATCH);
            assertThat(second.changes()).hasSize(History.MAX_WATCH_BATCH);
            assertThat(third.changes()).hasSize(5);
            assertThat(third.revision()).isEqualTo(history.revision());
        }
    }

    @Test
    void aWatchFromBeforeAResetIsTooOld() throws Exception {
        var history = new History(1);
        try (var watch = history.watch(PODS, 1)) {
            history.reset(10, List.of(new Entry(new ObjectKey("pods", "n", "p"), 7, bytes("x"))));

            assertThat(watch.next(DAY)).isEqualTo(new Watch.TooOld(10));
            assertThat(history.get(new ObjectKey("pods", "n", "p"))).isPresent();
        }
    }

    @Test
    void allOfTwoThousandWatchersAreWoken() throws Exception {
        var history = new History(1);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var waiting = new ArrayList<Future<Watch.Progress>>();
            for (var i = 0; i < 2_000; i++) {
                var watch = history.watch(PODS, 1);
                waiting.add(threads.submit(() -> watch.next(DAY)));
            }
            history.apply(created("pods", "p", 2));
            for (var each : waiting) {
                assertThat(((Watch.Changes) each.get()).changes()).hasSize(1);
            }
        }
    }

    private static Change created(String collection, String name, long revision) {
        var entry = new Entry(new ObjectKey(collection, "n", name), revision, bytes("x"));
        return new Change(Change.Type.CREATED, entry, Optional.empty());
    }
}
