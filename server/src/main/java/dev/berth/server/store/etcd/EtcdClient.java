package dev.berth.server.store.etcd;

import dev.berth.server.store.StoreException;
import dev.berth.wire.etcd.AuthGrpc;
import dev.berth.wire.etcd.AuthenticateRequest;
import dev.berth.wire.etcd.CompactionRequest;
import dev.berth.wire.etcd.KVGrpc;
import dev.berth.wire.etcd.RangeRequest;
import dev.berth.wire.etcd.RangeResponse;
import dev.berth.wire.etcd.TxnRequest;
import dev.berth.wire.etcd.TxnResponse;
import dev.berth.wire.etcd.WatchGrpc;
import dev.berth.wire.etcd.WatchRequest;
import dev.berth.wire.etcd.WatchResponse;
import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.MetadataUtils;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/// Client of etcd's KV, watch and auth APIs: logs in, fails over between members and turns status
/// codes into messages.
final class EtcdClient implements AutoCloseable {

    /// Deadline of a call.
    static final int CALL_SECONDS = 10;

    private static final Metadata.Key<String> TOKEN =
            Metadata.Key.of("token", Metadata.ASCII_STRING_MARSHALLER);

    /// Header that makes etcd end a watch on a member that has lost its leader and would receive no
    /// more events.
    private static final Metadata.Key<String> NEEDS_LEADER =
            Metadata.Key.of("hasleader", Metadata.ASCII_STRING_MARSHALLER);

    private final EtcdAccess access;
    private final EtcdChannels channels;
    private volatile Optional<String> token = Optional.empty();

    EtcdClient(EtcdAccess access) {
        this.access = access;
        this.channels = new EtcdChannels(access);
    }

    /// Reads keys. Tries the other members if one is unavailable.
    RangeResponse range(RangeRequest request) {
        return call(channels.size(), channel -> kv(channel).range(request));
    }

    /// Runs a transaction. It is not retried, since a failed attempt may have been committed.
    TxnResponse txn(TxnRequest request) {
        return call(1, channel -> kv(channel).txn(request));
    }

    /// Compacts older revisions. A compaction already done by another server is not an error.
    void compact(long revision) {
        var request = CompactionRequest.newBuilder().setRevision(revision).build();
        try {
            call(1, channel -> kv(channel).compact(request));
        } catch (StoreException e) {
            if (!(e.getCause() instanceof StatusRuntimeException exception)
                    || exception.getStatus().getCode() != Status.Code.OUT_OF_RANGE) {
                throw e;
            }
        }
    }

    /// A watch stream, which ends with the connection to its member.
    final class Watches {
        private final ManagedChannel channel = channels.choose();
        private final StreamObserver<WatchRequest> requests;

        private Watches(StreamObserver<WatchResponse> responses) {
            this.requests = WatchGrpc.newStub(withHeaders(channel)).watch(responses);
        }

        StreamObserver<WatchRequest> requests() {
            return requests;
        }

        /// Fails over to another member when this one sends no events.
        void failOver() {
            channels.failOver(channel);
        }
    }

    Watches watch(StreamObserver<WatchResponse> responses) {
        login(false);
        return new Watches(responses);
    }

    private static KVGrpc.KVBlockingStub kv(Channel channel) {
        return KVGrpc.newBlockingStub(channel).withDeadlineAfter(CALL_SECONDS, TimeUnit.SECONDS);
    }

    private <T> T call(int tries, Function<Channel, T> call) {
        login(false);
        return call(channels.choose(), tries, call);
    }

    private <T> T call(ManagedChannel channel, int tries, Function<Channel, T> call) {
        try {
            return call.apply(withHeaders(channel));
        } catch (StatusRuntimeException e) {
            if (isTokenInvalid(e)) {
                login(true);
                return callOnce(call);
            }
            if (isUnavailable(e)) {
                channels.failOver(channel);
                if (tries > 1) {
                    return call(channels.after(channel), tries - 1, call);
                }
            }
            throw failure(e);
        }
    }

    private <T> T callOnce(Function<Channel, T> call) {
        try {
            return call.apply(withHeaders(channels.choose()));
        } catch (StatusRuntimeException e) {
            throw failure(e);
        }
    }

    private Channel withHeaders(Channel channel) {
        var headers = new Metadata();
        headers.put(NEEDS_LEADER, "true");
        token.ifPresent(value -> headers.put(TOKEN, value));
        return ClientInterceptors.intercept(
                channel, MetadataUtils.newAttachHeadersInterceptor(headers));
    }

    /// A connection that breaks during a call can surface as a status that gRPC does not know.
    private static boolean isUnavailable(StatusRuntimeException e) {
        return e.getStatus().getCode() == Status.Code.UNAVAILABLE
                || e.getStatus().getCause() instanceof IOException;
    }

    /// Tokens expire and become invalid when users change. A call rejected for that reason was not
    /// executed.
    private boolean isTokenInvalid(StatusRuntimeException e) {
        var text = String.valueOf(e.getStatus().getDescription());
        return access.login().isPresent()
                && (e.getStatus().getCode() == Status.Code.UNAUTHENTICATED
                        || text.contains("revision of auth store is old")
                        || text.contains("revision in header is old"));
    }

    private void login(boolean again) {
        if (access.login().isEmpty() || (token.isPresent() && !again)) {
            return;
        }
        var login = access.login().get();
        var request =
                AuthenticateRequest.newBuilder()
                        .setName(login.user())
                        .setPassword(login.password())
                        .build();
        try {
            token =
                    Optional.of(
                            AuthGrpc.newBlockingStub(channels.choose())
                                    .withDeadlineAfter(CALL_SECONDS, TimeUnit.SECONDS)
                                    .authenticate(request)
                                    .getToken());
        } catch (StatusRuntimeException e) {
            throw failure(e);
        }
    }

    StoreException failure(StatusRuntimeException e) {
        var status = e.getStatus();
        var description =
                status.getDescription() == null ? status.getCode() : status.getDescription();
        var etcd = "etcd at " + String.join(", ", access.endpoints());
        if (isUnavailable(e)) {
            return new StoreException(unavailable(etcd, description), e);
        }
        return new StoreException(
                switch (status.getCode()) {
                    case DEADLINE_EXCEEDED, CANCELLED -> unavailable(etcd, description);
                    case RESOURCE_EXHAUSTED ->
                            ("%s has no space (%s). Defragment it or raise its quota, then disarm"
                                            + " its alarm; reads continue")
                                    .formatted(etcd, description);
                    case UNAUTHENTICATED, PERMISSION_DENIED ->
                            "%s denies access (%s). Check user, password and role"
                                    .formatted(etcd, description);
                    default -> "%s rejected the request (%s)".formatted(etcd, description);
                },
                e);
    }

    private static String unavailable(String etcd, Object description) {
        return "%s is unavailable (%s). Check that it runs and has a leader"
                .formatted(etcd, description);
    }

    @Override
    public void close() {
        channels.close();
    }
}
