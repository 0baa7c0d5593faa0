package dev.berth.server.store.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.harness.Eventually;
import dev.berth.server.store.Change;
import dev.berth.server.store.CollectionScope;
import dev.berth.server.store.Entry;
import dev.berth.server.store.Etcd;
import dev.berth.server.store.ListResult;
import dev.berth.server.store.ObjectKey;
import dev.berth.server.store.Store;
import dev.berth.server.store.StoreContract;
import dev.berth.server.store.StoreException;
import dev.berth.server.store.TcpProxy;
import dev.berth.server.store.Watch;
import dev.berth.server.store.WriteResult;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EtcdStoreTest extends StoreContract {

    private static final Duration PATIENT = Duration.ofSeconds(30);
    private static final ObjectKey KEY = new ObjectKey("pods", "n", "p");

    @TempDir private Path directory;
    private @Nullable Etcd started;

    @Override
    protected Store open() throws Exception {
        var etcd = Etcd.start(directory);
        started = etcd;
        return EtcdStore.open(etcd.access());
    }

    @AfterEach
    void stop() {
        if (started != null) {
            started.close();
        }
    }

    private Etcd etcd() {
        return Objects.requireNonNull(started);
    }

    @Test
    void serversSeeEachOthersWrites() {
        try (var one = EtcdStore.open(etcd().access());
                var other = EtcdStore.open(etcd().access())) {
            var made = done(one.create(KEY, bytes("1")));

            assertThat(other.sync()).isEqualTo(made.revision());
            assertThat(other.get(KEY).map(StoreContract::text)).contains("1");
            var newer = done(other.update(KEY, made.revision(), bytes("2")));
            assertThat(one.update(KEY, made.revision(), bytes("3")))
                    .isInstanceOf(WriteResult.Conflict.class);
            assertThat(one.get(KEY).map(StoreContract::text)).contains("2");
            done(other.delete(KEY, newer.revision()));
            assertThat(one.delete(KEY, newer.revision())).isInstanceOf(WriteResult.Missing.class);
            assertThat(one.get(KEY)).isEmpty();
        }
    }

    @Test
    void objectsSurviveReopening() {
        var keys = 2_500;
        try (var store = EtcdStore.open(etcd().access())) {
            for (var i = 0; i < keys; i++) {
                done(store.create(new ObjectKey("pods", "n", "p" + i), bytes("" + i)));
            }
        }
        try (var store = EtcdStore.open(etcd().access())) {
            var page = (ListResult.Page) store.list(CollectionScope.all("pods"), 0, "", 0);

            assertThat(page.entries()).hasSize(keys);
            assertThat(page.revision())
                    .isEqualTo(
                            page.entries().stream().mapToLong(Entry::revision).max().orElseThrow());
        }
    }

    @Test
    void aWatchResumesAfterEtcdWasUnavailable() throws Exception {
        try (var store = EtcdStore.open(etcd().access());
                var watch = store.watch(CollectionScope.all("pods"), store.revision())) {
            var made = done(store.create(KEY, bytes("1")));
            etcd().kill();
            assertThatThrownBy(() -> store.update(KEY, made.revision(), bytes("2")))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("is unavailable");
            assertThat(store.get(KEY).map(StoreContract::text)).contains("1");
            etcd().start();
            var newer = updateSoon(store, made);

            var progress = (Watch.Changes) watch.next(PATIENT);
            assertThat(progress.changes())
                    .extracting(Change::revision)
                    .containsExactly(made.revision(), newer.revision());
        }
    }

    @Test
    void aReconnectedWatchGetsMissedChanges() throws Exception {
        try (var proxy = new TcpProxy(etcd().port());
                var away = EtcdStore.open(EtcdAccess.plain("127.0.0.1:" + proxy.port()));
                var other = EtcdStore.open(etcd().access());
                var watch = away.watch(CollectionScope.all("pods"), away.revision())) {
            var made = done(other.create(KEY, bytes("1")));
            assertThat(watch.next(PATIENT)).isInstanceOf(Watch.Changes.class);
            proxy.cut();
            var newer = done(other.update(KEY, made.revision(), bytes("2")));
            var deleted = done(other.delete(KEY, newer.revision()));
            proxy.restore();

            assertThat(away.await(deleted.revision(), PATIENT)).isTrue();
            assertThat(((Watch.Changes) watch.next(PATIENT)).changes())
                    .extracting(Change::type)
                    .containsExactly(Change.Type.UPDATED, Change.Type.DELETED);
        }
    }

    @Test
    void aWatchBehindACompactionListsAgain() throws Exception {
        try (var proxy = new TcpProxy(etcd().port());
                var away = EtcdStore.open(EtcdAccess.plain("127.0.0.1:" + proxy.port()));
                var other = EtcdStore.open(etcd().access())) {
            var made = done(other.create(KEY, bytes("1")));
            assertThat(away.await(made.revision(), PATIENT)).isTrue();
            var watch = away.watch(CollectionScope.all("pods"), made.revision());
            proxy.cut();
            var newer = done(other.update(KEY, made.revision(), bytes("2")));
            var newest = done(other.update(KEY, newer.revision(), bytes("3")));
            other.compact(newest.revision());
            proxy.restore();

            assertThat(away.await(newest.revision(), PATIENT)).isTrue();
            assertThat(watch.next(PATIENT)).isInstanceOf(Watch.TooOld.class);
            assertThat(away.get(KEY).map(StoreContract::text)).contains("3");
        }
    }

    /// Retries until the connection is back; writes are rejected before.
    private static Entry updateSoon(Store store, Entry made) {
        return Eventually.succeeds(
                StoreException.class, () -> done(store.update(KEY, made.revision(), bytes("2"))));
    }
}
