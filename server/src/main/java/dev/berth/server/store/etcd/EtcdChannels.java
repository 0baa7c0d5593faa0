package dev.berth.server.store.etcd;

import dev.berth.server.store.StoreException;
import io.grpc.ConnectivityState;
import io.grpc.ManagedChannel;
import io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.NettyChannelBuilder;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLException;

/// gRPC channels to the members of an etcd cluster. One is used until it fails.
final class EtcdChannels implements AutoCloseable {

    /// Idle time before a gRPC keepalive ping. etcd rejects pings more frequent than every five
    /// seconds.
    private static final int KEEPALIVE_SECONDS = 10;

    private static final int KEEPALIVE_TIMEOUT_SECONDS = 5;

    /// Size limit of a response: a page of a list, or the watch events since a disconnect.
    private static final int MAX_MESSAGE_BYTES = 256 << 20;

    private static final int DEFAULT_PORT = 2379;

    private final List<ManagedChannel> channels;
    private final AtomicInteger current = new AtomicInteger();

    EtcdChannels(EtcdAccess access) {
        this.channels = access.endpoints().stream().map(at -> channel(at, access)).toList();
    }

    private static ManagedChannel channel(String endpoint, EtcdAccess access) {
        var scheme = endpoint.indexOf("://");
        var address = scheme < 0 ? endpoint : endpoint.substring(scheme + 3);
        var encrypted =
                endpoint.startsWith("https://")
                        || (scheme < 0 && access.authority().or(access::certificate).isPresent());
        var colon = address.lastIndexOf(':');
        var hasPort = colon > address.lastIndexOf(']');
        var builder =
                NettyChannelBuilder.forAddress(
                                hasPort ? address.substring(0, colon) : address,
                                hasPort ? port(endpoint, address, colon) : DEFAULT_PORT)
                        .keepAliveTime(KEEPALIVE_SECONDS, TimeUnit.SECONDS)
                        .keepAliveTimeout(KEEPALIVE_TIMEOUT_SECONDS, TimeUnit.SECONDS)
                        .maxInboundMessageSize(MAX_MESSAGE_BYTES);
        return encrypted ? encrypted(builder, access) : builder.usePlaintext().build();
    }

    private static int port(String endpoint, String address, int colon) {
        try {
            return Integer.parseInt(address.substring(colon + 1));
        } catch (NumberFormatException e) {
            throw new StoreException(
                    "the endpoint \"" + endpoint + "\" of etcd has no port; write host:port", e);
        }
    }

    private static ManagedChannel encrypted(NettyChannelBuilder builder, EtcdAccess access) {
        try {
            var context = GrpcSslContexts.forClient();
            access.authority().ifPresent(file -> context.trustManager(file.toFile()));
            access.certificate()
                    .ifPresent(file ->
                            context.keyManager(file.toFile(), access.key().orElseThrow().toFile()));
            return builder.sslContext(context.build()).build();
        } catch (SSLException | IllegalArgumentException e) {
            throw new StoreException(
                    "the certificates for etcd cannot be used: "
                            + e.getMessage()
                            + ". They must be PEM, and the key PKCS 8",
                    e);
        }
    }

    int size() {
        return channels.size();
    }

    /// The channel to use: the current one, unless it has failed and another has not.
    ManagedChannel choose() {
        for (var i = 0; i < channels.size(); i++) {
            var chosen = channels.get(Math.floorMod(current.get(), channels.size()));
            if (chosen.getState(false) != ConnectivityState.TRANSIENT_FAILURE) {
                return chosen;
            }
            failOver(chosen);
        }
        return channels.get(Math.floorMod(current.get(), channels.size()));
    }

    /// Switches to the next channel, unless another thread has already done so.
    void failOver(ManagedChannel broken) {
        var index = current.get();
        if (channels.get(Math.floorMod(index, channels.size())).equals(broken)) {
            current.compareAndSet(index, index + 1);
        }
    }

    /// The next channel in cyclic order, so that repeated calls try each channel once.
    ManagedChannel after(ManagedChannel channel) {
        return channels.get((channels.indexOf(channel) + 1) % channels.size());
    }

    @Override
    public void close() {
        channels.forEach(ManagedChannel::shutdownNow);
    }
}
