package dev.berth.server.store.etcd;

import com.google.protobuf.ByteString;
import dev.berth.server.store.Change;
import dev.berth.server.store.Entry;
import dev.berth.server.store.HistoryStore;
import dev.berth.server.store.Mutation;
import dev.berth.server.store.StoreException;
import dev.berth.server.store.StoredKey;
import dev.berth.server.store.WriteResult;
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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A store in an etcd cluster, which several servers may share.
///
/// Writes are etcd transactions that compare the mod revision. Reads are served from a [History]
/// that watches etcd. A write returns when that history has it, so that writers read their own
/// writes.
///
/// Each write also updates one key beside the objects. The revision of this key is that of the
/// newest write of any server, independent of other users of the cluster. [#sync] reads this key to
/// learn the revision to wait for.
public final class EtcdStore extends HistoryStore {

    /// Interval of compaction. etcd keeps each revision at least this long.
    static final Duration COMPACTION_INTERVAL = Duration.ofMinutes(5);

    /// Timeout for a write to become visible to reads.
    private static final Duration VISIBILITY_TIMEOUT = Duration.ofSeconds(EtcdClient.CALL_SECONDS);

    private static final Logger LOG = LoggerFactory.getLogger(EtcdStore.class);

    private final EtcdClient client;
    private final EtcdReflector reflector;
    private final String prefix;
    private final ByteString newestKey;
    private final Thread compactor;

    private EtcdStore(EtcdClient client, EtcdReflector reflector, String prefix) {
        super(reflector.history());
        this.client = client;
        this.reflector = reflector;
        this.prefix = prefix;
        this.newestKey = bytes(prefix.substring(0, prefix.length() - 1) + "-newest");
        this.compactor = Thread.ofVirtual().name("etcd-compactor").unstarted(this::compactForever);
    }

    /// Connects and loads all objects.
    public static EtcdStore open(EtcdAccess access) {
        var client = new EtcdClient(access);
        try {
            var reflector = EtcdReflector.start(client, access.prefix());
            var store = new EtcdStore(client, reflector, access.prefix());
            store.compactor.start();
            return store;
        } catch (RuntimeException e) {
            client.close();
            throw e;
        }
    }

    @Override
    public long sync() {
        var response = client.range(RangeRequest.newBuilder().setKey(newestKey).build());
        if (response.getKvsCount() > 0) {
            waitFor(response.getKvs(0).getModRevision());
        }
        return history().revision();
    }

    @Override
    protected WriteResult write(Mutation mutation) {
        var response = client.txn(transaction(mutation));
        return response.getSucceeded()
                ? done(mutation, response)
                : rejected(mutation, response.getResponses(0).getResponseRange().getKvsList());
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
                                .setRequestPut(PutRequest.newBuilder().setKey(newestKey)))
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
        // Prefer the entry of the history: it may have a memo.
        var entry = history().get(mutation.key()).filter(known -> known.revision() == revision);
        return new WriteResult.Done(
                entry.orElseGet(() -> mutation.value().at(mutation.key(), revision)));
    }

    /// Waits for visibility as well: a client that gets a conflict reads again and must not read
    /// the same revision.
    private WriteResult rejected(Mutation mutation, List<KeyValue> found) {
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
            if (!history().await(revision, VISIBILITY_TIMEOUT)) {
                throw new StoreException(
                        "etcd is at revision %d, but its events end at %d. Check that etcd runs"
                                .formatted(revision, history().revision()));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoreException("interrupted while waiting for revision " + revision, e);
        }
    }

    @Override
    public void compact(long revision) {
        super.compact(revision);
        client.compact(Math.min(revision, history().revision()));
    }

    /// Compacts up to the revision that the history had one interval earlier, so revisions younger
    /// than one interval are kept. Several servers may compact the same etcd.
    private void compactForever() {
        try {
            var before = 0L;
            while (true) {
                Thread.sleep(COMPACTION_INTERVAL);
                try {
                    if (before > 0) {
                        client.compact(before);
                    }
                } catch (StoreException e) {
                    LOG.warn(
                            "etcd could not be compacted, the next attempt is in 5 minutes: {}",
                            e.getMessage());
                }
                before = history().revision();
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
        reflector.close();
        client.close();
    }
}
