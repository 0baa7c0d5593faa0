package dev.berth.node.socket;

import io.grpc.BindableService;
import io.grpc.Server;
import io.grpc.netty.NettyServerBuilder;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerDomainSocketChannel;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/// gRPC server on a unix socket; each call runs on a virtual thread.
public final class SocketServer implements AutoCloseable {

    private final Path socket;
    private final EventLoopGroup events;
    private final ExecutorService calls;
    private final Server server;

    private SocketServer(Path socket, List<? extends BindableService> services) {
        this.socket = socket;
        this.events = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
        this.calls = Executors.newVirtualThreadPerTaskExecutor();
        var builder =
                NettyServerBuilder.forAddress(UnixDomainSocketAddress.of(socket))
                        .channelType(NioServerDomainSocketChannel.class)
                        .bossEventLoopGroup(events)
                        .workerEventLoopGroup(events)
                        // gRPC sets it, but unix sockets do not support it.
                        .withChildOption(ChannelOption.SO_KEEPALIVE, null)
                        .executor(calls);
        services.forEach(builder::addService);
        this.server = builder.build();
    }

    /// Starts the server; replaces a stale socket.
    ///
    /// @throws IOException when the socket cannot be created; the message names the remedy
    public static SocketServer start(Path socket, List<? extends BindableService> services)
            throws IOException {
        var problem = SocketPath.problem(socket);
        if (problem.isPresent()) {
            throw new IOException(problem.get());
        }
        Files.createDirectories(socket.toAbsolutePath().resolveSibling(""));
        Files.deleteIfExists(socket);
        var server = new SocketServer(socket, services);
        try {
            server.server.start();
        } catch (IOException e) {
            server.close();
            throw new IOException("cannot serve on socket " + socket + ": " + e.getMessage(), e);
        }
        return server;
    }

    public Path socket() {
        return socket;
    }

    @Override
    public void close() {
        close(Duration.ZERO);
    }

    /// Refuses new calls, removes the socket, and waits for calls in flight.
    public void close(Duration timeout) {
        server.shutdown();
        try {
            Files.deleteIfExists(socket);
        } catch (IOException _) {
            // The next server replaces it.
        }
        try {
            if (!server.awaitTermination(timeout.toMillis(), TimeUnit.MILLISECONDS)) {
                server.shutdownNow();
            }
        } catch (InterruptedException _) {
            server.shutdownNow();
            Thread.currentThread().interrupt();
        }
        calls.shutdownNow();
        var _ = events.shutdownGracefully(0, 1, TimeUnit.SECONDS);
    }
}
