package dev.berth.server.store.etcd;

import com.google.protobuf.ByteString;
import dev.berth.server.store.Change;
import dev.berth.server.store.Entry;
import dev.berth.server.store.History;
import dev.berth.server.store.ObjectKey;
import dev.berth.server.store.StoreException;
import dev.berth.server.store.StoredKey;
import dev.berth.wire.etcd.Event;
import dev.berth.wire.etcd.KeyValue;
import dev.berth.wire.etcd.RangeRequest;
import dev.berth.wire.etcd.WatchCreateRequest;
import dev.berth.wire.etcd.WatchRequest;
import dev.berth.wire.etcd.WatchResponse;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Reflects etcd into a [History] by list and watch. After a disconnect the watch resumes at the
/// last revision seen; if etcd has compacted that revision, everything is listed again.
final class EtcdReflector implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(EtcdReflector.class);

    /// Objects per page of the initial list.
    private static final int PAGE_SIZE = 1_000;

    /// Back-off before the watch is opened again.
    private static final Duration BACKOFF = Duration.ofMillis(200);

    private final EtcdClient client;
    private final String prefix;
    private final History history;
    private final Thread thread;
    private volatile boolean closed;

    // Whether the loss of the connection was logged, so that each loss is logged once.
    private volatile boolean lost;

    private EtcdReflector(EtcdClient client, String prefix) {
        this.client = client;
        this.prefix = prefix;
        var content = read();
        this.history = new History(content.revision, content.entries);
        this.thread = Thread.ofVirtual().name("etcd-reflector").unstarted(this::run);
    }

    static EtcdReflector start(EtcdClient client, String prefix) {
        var reflector = new EtcdReflector(client, prefix);
        reflector.thread.start();
        return reflector;
    }

    History history() {
        return history;
    }

    private record Content(long revision, List<Entry> entries) {}

    private Content read() {
        var entries = new ArrayList<Entry>();
        var revision = 0L;
        var from = bytes(prefix);
        while (true) {
            var page =
                    client.range(
                            RangeRequest.newBuilder()
                                    .setKey(from)
                                    .setRangeEnd(end())
                                    .setLimit(PAGE_SIZE)
                                    .setRevision(revision)
                                    .build());
            page.getKvsList().forEach(kv -> entries.add(entry(kv)));
            revision = revision == 0 ? page.getHeader().getRevision() : revision;
            if (!page.getMore()) {
                return new Content(revision, entries);
            }
            from = page.getKvs(page.getKvsCount() - 1).getKey().concat(ByteString.fromHex("00"));
        }
    }

    private void run() {
        while (!closed) {
            try {
                if (watch() == WatchEnd.COMPACTED) {
                    LOG.warn(
                            "etcd has compacted the last revision seen; listing all objects again");
                    var content = read();
                    history.reset(content.revision, content.entries);
                }
                Thread.sleep(BACKOFF);
            } catch (StoreException e) {
                LOG.warn("the watch of etcd failed, retrying: {}", e.getMessage());
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    private enum WatchEnd {
        DISCONNECTED,
        COMPACTED
    }

    /// Applies watch events until the watch ends.
    private WatchEnd watch() throws InterruptedException {
        var stream = new Stream();
        var watches = client.watch(stream);
        var requests = watches.requests();
        var create =
                WatchCreateRequest.newBuilder()
                        .setKey(bytes(prefix))
                        .setRangeEnd(end())
                        .setStartRevision(history.revision() + 1)
                        .setFragment(true);
        requests.onNext(WatchRequest.newBuilder().setCreateRequest(create).build());
        try {
            return stream.ending.get();
        } catch (ExecutionException e) {
            if (!closed && !lost) {
                LOG.warn("lost the connection to etcd, reconnecting: {}", e.getMessage());
            }
            lost = true;
            watches.failOver();
            return WatchEnd.DISCONNECTED;
        } finally {
            stream.ending.complete(WatchEnd.DISCONNECTED);
            requests.onError(new InterruptedException("the watch ended"));
        }
    }

    /// Receives watch responses. Ignores responses after its end, since a new watch has replaced it
    /// by then.
    private final class Stream implements StreamObserver<WatchResponse> {
        private final CompletableFuture<WatchEnd> ending = new CompletableFuture<>();

        @Override
        public void onNext(WatchResponse response) {
            if (ending.isDone()) {
                return;
            }
            if (response.getCanceled()) {
                ending.complete(
                        response.getCompactRevision() > 0
                                ? WatchEnd.COMPACTED
                                : WatchEnd.DISCONNECTED);
                return;
            }
            if (lost) {
                LOG.info("reconnected to etcd");
                lost = false;
            }
            try {
                apply(response.getEventsList());
            } catch (RuntimeException e) {
                ending.completeExceptionally(e);
            }
        }

        @Override
        public void onError(Throwable cause) {
            ending.completeExceptionally(cause);
        }

        @Override
        public void onCompleted() {
            ending.complete(WatchEnd.DISCONNECTED);
        }
    }

    private void apply(List<Event> events) {
        var known = history.revision();
        var pending = new HashMap<ObjectKey, Optional<Entry>>();
        var changes = new ArrayList<Change>();
        for (var event : events) {
            if (event.getKv().getModRevision() > known) {
                change(event, pending).ifPresent(changes::add);
            }
        }
        if (!changes.isEmpty()) {
            history.apply(changes);
        }
    }

    private Optional<Change> change(Event event, Map<ObjectKey, Optional<Entry>> pending) {
        var now = entry(event.getKv());
        var known = pending.get(now.key());
        var before = known == null ? history.get(now.key()) : known;
        if (event.getType() == Event.EventType.PUT) {
            pending.put(now.key(), Optional.of(now));
            var type = before.isEmpty() ? Change.Type.CREATED : Change.Type.UPDATED;
            return Optional.of(new Change(type, now, before));
        }
        pending.put(now.key(), Optional.empty());
        return before.map(last ->
                new Change(
                        Change.Type.DELETED,
                        new Entry(now.key(), now.revision(), last.bytes()),
                        before));
    }

    private Entry entry(KeyValue kv) {
        var key = StoredKey.parse(kv.getKey().toStringUtf8().substring(prefix.length()));
        return new Entry(key, kv.getModRevision(), kv.getValue().toByteArray());
    }

    /// End of the range of keys with the prefix: the slash replaced by the next character.
    private ByteString end() {
        return bytes(prefix.substring(0, prefix.length() - 1) + "0");
    }

    private static ByteString bytes(String text) {
        return ByteString.copyFromUtf8(text);
    }

    @Override
    public void close() {
        closed = true;
        history.close();
        thread.interrupt();
    }
}
