package dev.berth.node.driver;

import dev.berth.node.socket.SocketChannel;
import dev.berth.wire.dra.v1.Claim;
import dev.berth.wire.dra.v1.DRAPluginGrpc;
import dev.berth.wire.dra.v1.NodePrepareResourceResponse;
import dev.berth.wire.dra.v1.NodePrepareResourcesRequest;
import dev.berth.wire.dra.v1.NodeUnprepareResourcesRequest;
import dev.berth.wire.health.v1.DRAResourceHealthGrpc;
import dev.berth.wire.health.v1.NodeWatchResourcesRequest;
import dev.berth.wire.health.v1.NodeWatchResourcesResponse;
import dev.berth.wire.registration.InfoRequest;
import dev.berth.wire.registration.PluginInfo;
import dev.berth.wire.registration.RegistrationGrpc;
import dev.berth.wire.registration.RegistrationStatus;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The kubelet's plugin manager: discovers sockets, registers drivers, and calls the instance that
/// registered last.
final class FakeKubelet implements AutoCloseable {

    private final Path registry;
    private final Map<Path, Plugin> plugins = new LinkedHashMap<>();

    private record Plugin(PluginInfo about, SocketChannel channel) {}

    FakeKubelet(Path registry) {
        this.registry = registry;
    }

    /// Registers new drivers and deregisters those whose socket is gone.
    void scan() {
        var sockets = sockets();
        plugins.entrySet()
                .removeIf(entry -> {
                    var isGone = !sockets.contains(entry.getKey());
                    if (isGone) {
                        entry.getValue().channel.close();
                    }
                    return isGone;
                });
        for (var socket : sockets) {
            if (!plugins.containsKey(socket)) {
                register(socket);
            }
        }
    }

    private List<Path> sockets() {
        if (!Files.isDirectory(registry)) {
            return List.of();
        }
        try (var files = Files.list(registry)) {
            return files.sorted().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void register(Path socket) {
        try (var channel = new SocketChannel(socket)) {
            var stub = RegistrationGrpc.newBlockingStub(channel.channel());
            var about = stub.getInfo(InfoRequest.getDefaultInstance());
            var isKnown =
                    about.getType().equals("DRAPlugin")
                            && about.getSupportedVersionsList().contains("v1.DRAPlugin");
            var _ =
                    stub.notifyRegistrationStatus(
                            RegistrationStatus.newBuilder()
                                    .setPluginRegistered(isKnown)
                                    .setError(isKnown ? "" : "no version in common")
                                    .build());
            plugins.put(socket, new Plugin(about, new SocketChannel(Path.of(about.getEndpoint()))));
        } catch (StatusRuntimeException _) {
            // A stale socket of a killed process; the next scan may find a new one.
        }
    }

    /// All registered drivers in the order of their registration.
    List<PluginInfo> registered() {
        return plugins.values().stream().map(Plugin::about).toList();
    }

    SocketChannel newest() {
        return plugins.values().stream().toList().getLast().channel;
    }

    NodePrepareResourceResponse prepare(ClaimRef claim) {
        var response =
                DRAPluginGrpc.newBlockingStub(newest().channel())
                        .nodePrepareResources(
                                NodePrepareResourcesRequest.newBuilder()
                                        .addClaims(message(claim))
                                        .build());
        return response.getClaimsOrThrow(claim.uid().value());
    }

    /// The error, or nothing.
    String unprepare(ClaimRef claim) {
        var response =
                DRAPluginGrpc.newBlockingStub(newest().channel())
                        .nodeUnprepareResources(
                                NodeUnprepareResourcesRequest.newBuilder()
                                        .addClaims(message(claim))
                                        .build());
        return response.getClaimsOrThrow(claim.uid().value()).getError();
    }

    Iterator<NodeWatchResourcesResponse> watchHealth() {
        return DRAResourceHealthGrpc.newBlockingStub(newest().channel())
                .nodeWatchResources(NodeWatchResourcesRequest.getDefaultInstance());
    }

    private static Claim message(ClaimRef claim) {
        return Claim.newBuilder()
                .setNamespace(claim.namespace())
                .setName(claim.name())
                .setUid(claim.uid().value())
                .build();
    }

    @Override
    public void close() {
        plugins.values().forEach(plugin -> plugin.channel.close());
    }
}
