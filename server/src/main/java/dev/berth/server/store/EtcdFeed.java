package dev.berth.server.store;

import com.google.protobuf.ByteString;
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

/// Keeps a history equal to what is in etcd: reads all once, then watches. A lost connection is
/// taken up again where it broke off; if etcd has forgotten that place, all is read again.
final class EtcdFeed implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(EtcdFeed.class);

    /// Objects that are read at once.
    private static final int PAGE = 1_000;

    /// Between one connection and the next try.
    private static final Duration PAUSE = Duration.ofMillis(200);

    private final EtcdClient client;
    private final String prefix;
    private final History history;
    private final Thread thread;
    private volatile boolean closed;

    // So that each loss is told once.
    private volatile boolean lost;

    private EtcdFeed(EtcdClient client, String prefix) {
        this.client = client;
        this.prefix = prefix;
        var content = read();
        this.history = new History(content.revision, content.entries);
        this.thread = Thread.ofVirtual().name("etcd-feed").unstarted(this::run);
    }

    static EtcdFeed start(EtcdClient client, String prefix) {
        var feed = new EtcdFeed(client, prefix);
        feed.thread.start();
        return feed;
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
                                    .setLimit(PAGE)
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
                if (watch() == Ending.FORGOTTEN) {
                    LOG.warn("etcd has forgotten what happened since; reading all again");
                    var content = read();
                    history.reset(content.revision, content.entries);
                }
                Thread.sleep(PAUSE);
            } catch (StoreException e) {
                LOG.warn("following etcd: {}", e.getMessage());
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    private enum Ending {
        BROKEN,
        FORGOTTEN
    }

    /// Follows etcd until something ends it.
    private Ending watch() throws InterruptedException {
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
                LOG.warn(
                        "lost the connection to etcd, trying until it is back: {}", e.getMessage());
            }
            lost = true;
            watches.leave();
            return Ending.BROKEN;
        } finally {
            stream.ending.complete(Ending.BROKEN);
            requests.onError(new InterruptedException("over"));
        }
    }

    /// What etcd sends. After its end nothing of it counts, since another has taken over.
    private final class Stream implements StreamObserver<WatchResponse> {
        private final CompletableFuture<Ending> ending = new CompletableFuture<>();

        @Override
        public void onNext(WatchResponse response) {
            if (ending.isDone()) {
                return;
            }
            if (response.getCanceled()) {
                ending.complete(
                        response.getCompactRevision() > 0 ? Ending.FORGOTTEN : Ending.BROKEN);
                return;
            }
            if (lost) {
                LOG.info("the connection to etcd is back");
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
            ending.complete(Ending.BROKEN);
        }
    }

    private void apply(List<Event> events) {
        var known = history.revision();
        var drafted = new HashMap<ObjectKey, Optional<Entry>>();
        var changes = new ArrayList<Change>();
        for (var event : events) {
            if (event.getKv().getModRevision() > known) {
                change(event, drafted).ifPresent(changes::add);
            }
        }
        if (!changes.isEmpty()) {
            history.apply(changes);
        }
    }

    private Optional<Change> change(Event event, Map<ObjectKey, Optional<Entry>> drafted) {
        var now = entry(event.getKv());
        var known = drafted.get(now.key());
        var before = known == null ? history.get(now.key()) : known;
        if (event.getType() == Event.EventType.PUT) {
            drafted.put(now.key(), Optional.of(now));
            var type = before.isEmpty() ? Change.Type.CREATED : Change.Type.UPDATED;
            return Optional.of(new Change(type, now, before));
        }
        drafted.put(now.key(), Optional.empty());
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

    /// Behind everything that begins with the prefix: its slash becomes the next character.
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
