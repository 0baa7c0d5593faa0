package dev.berth.server.store;

import com.google.protobuf.ByteString;
import dev.berth.wire.etcd.Compare;
import dev.berth.wire.etcd.DeleteRangeRequest;
import dev.berth.wire.etcd.KeyValue;
import dev.berth.wire.etcd.PutRequest;
import dev.berth.wire.etcd.RangeRequest;
import dev.berth.wire.etcd.RequestOp;
import dev.berth.wire.etcd.TxnRequest;
import dev.berth.wire.etcd.TxnResponse;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A store in a cluster of etcd, which several servers may share.
///
/// Writes are transactions of etcd that compare the revision. Reads are answered from a history
/// that follows etcd. A write returns when that history has it, so whoever writes reads what it
/// wrote.
///
/// Each write also touches one key beside the objects. Its revision is that of the newest write of
/// any server, whatever else is in that etcd: one small read tells how far to wait in [#sync].
public final class EtcdStore implements Store {

    /// How long etcd keeps old revisions at least; they are compacted as often.
    static final Duration COMPACTION = Duration.ofMinutes(5);

    /// How long reads may take to see a write.
    private static final Duration VISIBILITY = Duration.ofSeconds(EtcdClient.CALL_SECONDS);

    private static final Logger LOG = LoggerFactory.getLogger(EtcdStore.class);

    private final EtcdClient client;
    private final EtcdFeed feed;
    private final History history;
    private final String prefix;
    private final ByteString newest;
    private final Thread compactor;

    private EtcdStore(EtcdClient client, EtcdFeed feed, String prefix) {
        this.client = client;
        this.feed = feed;
        this.history = feed.history();
        this.prefix = prefix;
        this.newest = bytes(prefix.substring(0, prefix.length() - 1) + "-newest");
        this.compactor = Thread.ofVirtual().name("etcd-compactor").unstarted(this::compactForever);
    }

    /// Connects and reads everything.
    public static EtcdStore open(EtcdAccess access) {
        var client = new EtcdClient(access);
        try {
            var feed = EtcdFeed.start(client, access.prefix());
            var store = new EtcdStore(client, feed, access.prefix());
            store.compactor.start();
            return store;
        } catch (RuntimeException e) {
            client.close();
            throw e;
        }
    }

    @Override
    public long revision() {
        return history.revision();
    }

    @Override
    public long sync() {
        var answer = client.range(RangeRequest.newBuilder().setKey(newest).build());
        if (answer.getKvsCount() > 0) {
            waitFor(answer.getKvs(0).getModRevision());
        }
        return history.revision();
    }

    @Override
    public boolean await(long revision, Duration patience) throws InterruptedException {
        return history.await(revision, patience);
    }

    @Override
    public Optional<Entry> get(ObjectKey key) {
        return history.get(key);
    }

    @Override
    public ListResult list(CollectionScope scope, long atRevision, String after, int limit) {
        return history.list(scope, atRevision, after, limit);
    }

    @Override
    public WriteResult create(ObjectKey key, StoredValue value) {
        return write(Mutation.create(key, value));
    }

    @Override
    public WriteResult update(ObjectKey key, long revision, StoredValue value) {
        return write(Mutation.update(key, revision, value));
    }

    @Override
    public WriteResult delete(ObjectKey key, long revision) {
        return write(Mutation.delete(key, revision));
    }

    private WriteResult write(Mutation mutation) {
        var response = client.txn(transaction(mutation));
        return response.getSucceeded()
                ? done(mutation, response)
                : refused(mutation, response.getResponses(0).getResponseRange().getKvsList());
    }

    private TxnRequest transaction(Mutation mutation) {
        var key = bytes(prefix + StoredKey.text(mutation.key()));
        return TxnRequest.newBuilder()
                .addCompare(
                        Compare.newBuilder()
                                .setKey(key)
                                .setTarget(Compare.CompareTarget.MOD)
                                .setResult(Compare.CompareResult.EQUAL)
                                .setModRevision(mutation.revision()))
                .addSuccess(operation(mutation, key))
                .addSuccess(
                        RequestOp.newBuilder()
                                .setRequestPut(PutRequest.newBuilder().setKey(newest)))
                .addFailure(
                        RequestOp.newBuilder()
                                .setRequestRange(RangeRequest.newBuilder().setKey(key)))
                .build();
    }

    private static RequestOp operation(Mutation mutation, ByteString key) {
        return mutation.type() == Change.Type.DELETED
                ? RequestOp.newBuilder()
                        .setRequestDeleteRange(
                                DeleteRangeRequest.newBuilder().setKey(key).setPrevKv(true))
                        .build()
                : RequestOp.newBuilder()
                        .setRequestPut(
                                PutRequest.newBuilder()
                                        .setKey(key)
                                        .setValue(ByteString.copyFrom(mutation.value().bytes())))
                        .build();
    }

    private WriteResult done(Mutation mutation, TxnResponse response) {
        var revision = response.getHeader().getRevision();
        waitFor(revision);
        if (mutation.type() == Change.Type.DELETED) {
            var last = response.getResponses(0).getResponseDeleteRange().getPrevKvs(0);
            return new WriteResult.Done(
                    new Entry(mutation.key(), revision, last.getValue().toByteArray()));
        }
        // The entry of the history if it is still there, since things may be remembered with it.
        var entry = history.get(mutation.key()).filter(known -> known.revision() == revision);
        return new WriteResult.Done(
                entry.orElseGet(() -> mutation.value().at(mutation.key(), revision)));
    }

    /// Waits here as well: who is told of a conflict reads again, and must not read the same.
    private WriteResult refused(Mutation mutation, List<KeyValue> found) {
        if (found.isEmpty()) {
            sync();
            return new WriteResult.Missing();
        }
        var revision = found.getFirst().getModRevision();
        waitFor(revision);
        var current =
                new Entry(mutation.key(), revision, found.getFirst().getValue().toByteArray());
        return mutation.type() == Change.Type.CREATED
                ? new WriteResult.Exists(current)
                : new WriteResult.Conflict(current);
    }

    private void waitFor(long revision) {
        try {
            if (!history.await(revision, VISIBILITY)) {
                throw new StoreException(
                        "etcd is at revision %d, but news from it end at %d. See that it runs"
                                .formatted(revision, history.revision()));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoreException("interrupted while waiting for revision " + revision, e);
        }
    }

    @Override
    public Watch watch(CollectionScope scope, long after) {
        return history.watch(scope, after);
    }

    @Override
    public void compact(long revision) {
        history.compact(revision);
        client.compact(Math.min(revision, history.revision()));
    }

    /// Each time up to where the history was the time before, so nothing is lost that is younger
    /// than one turn. Servers that share an etcd do not hurt each other.
    private void compactForever() {
        try {
            var before = 0L;
            while (true) {
                Thread.sleep(COMPACTION);
                try {
                    if (before > 0) {
                        client.compact(before);
                    }
                } catch (StoreException e) {
                    LOG.warn("old revisions stay for now: {}", e.getMessage());
                }
                before = history.revision();
            }
        } catch (InterruptedException e) {
            // The store is closed.
        }
    }

    private static ByteString bytes(String text) {
        return ByteString.copyFromUtf8(text);
    }

    @Override
    public void close() {
        compactor.interrupt();
        feed.close();
        client.close();
    }
}
