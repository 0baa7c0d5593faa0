package dev.berth.node.socket;

import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioDomainSocketChannel;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/// gRPC channel to a unix socket; connects on use, and again after a disconnect.
public final class SocketChannel implements AutoCloseable {

    private final EventLoopGroup events;
    private final ManagedChannel channel;

    public SocketChannel(Path socket) {
        this.events = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
        this.channel =
                NettyChannelBuilder.forAddress(UnixDomainSocketAddress.of(socket))
                        .channelType(NioDomainSocketChannel.class)
                        .eventLoopGroup(events)
                        // gRPC sets it, but unix sockets do not support it.
                        .withOption(ChannelOption.SO_KEEPALIVE, null)
                        .usePlaintext()
                        // Servers in Go reject the authority that gRPC derives from a path.
                        .overrideAuthority("localhost")
                        .build();
    }

    /// The channel for stubs.
    public ManagedChannel channel() {
        return channel;
    }

    @Override
    public void close() {
        channel.shutdownNow();
        var _ = events.shutdownGracefully(0, 1, TimeUnit.SECONDS);
    }
}
