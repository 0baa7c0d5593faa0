package dev.berth.node.agent;

import dev.berth.node.agent.NodeClaimState.ReadyDevice;
import dev.berth.node.socket.SocketChannel;
import dev.berth.wire.dra.v1.Claim;
import dev.berth.wire.dra.v1.DRAPluginGrpc;
import dev.berth.wire.dra.v1.NodePrepareResourcesRequest;
import dev.berth.wire.dra.v1.NodeUnprepareResourcesRequest;
import io.grpc.ConnectivityState;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/// A driver that has registered.
final class DraPlugin implements AutoCloseable {

    /// The services that we can call, by the names under which drivers announce them.
    static final String V1 = "v1.DRAPlugin";

    static final String V1BETA1 = "v1beta1.DRAPlugin";

    static final String HEALTH_V1 = "v1.DRAResourceHealth";

    static final String HEALTH_V1ALPHA1 = "v1alpha1.DRAResourceHealth";

    /// Longer than that no call may take.
    private static final long TIMEOUT_SECONDS = 45;

    private final String driver;
    private final Path endpoint;
    private final String version;
    private final Optional<String> healthVersion;
    private final SocketChannel channel;

    DraPlugin(PluginRegistration about) {
        this.driver = about.driver();
        this.endpoint = about.endpoint();
        this.version = about.version();
        this.healthVersion = about.healthVersion();
        this.channel = new SocketChannel(endpoint);
        // Connects at once, so that it is known whether anybody is there.
        var _ = channel.channel().getState(true);
    }

    String driver() {
        return driver;
    }

    Path endpoint() {
        return endpoint;
    }

    String version() {
        return version;
    }

    Optional<String> healthVersion() {
        return healthVersion;
    }

    SocketChannel channel() {
        return channel;
    }

    boolean isConnected() {
        return channel.channel().getState(true) == ConnectivityState.READY;
    }

    /// What came of a call for one claim.
    sealed interface Answer {

        record Ready(List<ReadyDevice> devices) implements Answer {}

        record Failed(String reason) implements Answer {}
    }

    /// What came of a call: answers by the claims' UIDs, or why there are none.
    sealed interface Called {

        record Answered(Map<String, Answer> answers) implements Called {}

        record Failed(Status.Code code, String reason) implements Called {}

        default Status.Code outcome() {
            return this instanceof Failed(var code, _) ? code : Status.Code.OK;
        }
    }

    Called prepare(List<NodeClaimState> claims) {
        try {
            return new Called.Answered(
                    version.equals(V1) ? prepareV1(claims) : prepareV1beta1(claims));
        } catch (StatusRuntimeException e) {
            return new Called.Failed(
                    e.getStatus().getCode(), "NodePrepareResources: " + GrpcErrorText.of(e));
        }
    }

    private Map<String, Answer> prepareV1(List<NodeClaimState> claims) {
        var request = NodePrepareResourcesRequest.newBuilder();
        claims.forEach(claim -> request.addClaims(message(claim)));
        var answers = new HashMap<String, Answer>();
        DRAPluginGrpc.newBlockingStub(channel.channel())
                .withDeadlineAfter(TIMEOUT_SECONDS, TimeUnit.SECONDS)
                .nodePrepareResources(request.build())
                .getClaimsMap()
                .forEach((uid, one) ->
                        answers.put(
                                uid,
                                one.getError().isEmpty()
                                        ? new Answer.Ready(
                                                one.getDevicesList().stream()
                                                        .map(DraPlugin::device)
                                                        .toList())
                                        : new Answer.Failed(one.getError())));
        return answers;
    }

    private static ReadyDevice device(dev.berth.wire.dra.v1.Device device) {
        return new ReadyDevice(
                device.getPoolName(),
                device.getDeviceName(),
                device.hasShareId() ? Optional.of(device.getShareId()) : Optional.empty(),
                device.getRequestNamesList(),
                device.getCdiDeviceIdsList());
    }

    private Map<String, Answer> prepareV1beta1(List<NodeClaimState> claims) {
        var request = dev.berth.wire.dra.v1beta1.NodePrepareResourcesRequest.newBuilder();
        claims.forEach(claim -> request.addClaims(oldMessage(claim)));
        var answers = new HashMap<String, Answer>();
        dev.berth.wire.dra.v1beta1.DRAPluginGrpc.newBlockingStub(channel.channel())
                .withDeadlineAfter(TIMEOUT_SECONDS, TimeUnit.SECONDS)
                .nodePrepareResources(request.build())
                .getClaimsMap()
                .forEach((uid, one) ->
                        answers.put(
                                uid,
                                one.getError().isEmpty()
                                        ? new Answer.Ready(
                                                one.getDevicesList().stream()
                                                        .map(DraPlugin::device)
                                                        .toList())
                                        : new Answer.Failed(one.getError())));
        return answers;
    }

    private static ReadyDevice device(dev.berth.wire.dra.v1beta1.Device device) {
        return new ReadyDevice(
                device.getPoolName(),
                device.getDeviceName(),
                Optional.empty(),
                device.getRequestNamesList(),
                device.getCdiDeviceIdsList());
    }

    Called unprepare(List<NodeClaimState> claims) {
        var answers = new HashMap<String, Answer>();
        try {
            unprepareErrors(claims)
                    .forEach((uid, error) ->
                            answers.put(
                                    uid,
                                    error.isEmpty()
                                            ? new Answer.Ready(List.of())
                                            : new Answer.Failed(error)));
            return new Called.Answered(answers);
        } catch (StatusRuntimeException e) {
            return new Called.Failed(
                    e.getStatus().getCode(), "NodeUnprepareResources: " + GrpcErrorText.of(e));
        }
    }

    private Map<String, String> unprepareErrors(List<NodeClaimState> claims) {
        var errors = new HashMap<String, String>();
        if (version.equals(V1)) {
            var request = NodeUnprepareResourcesRequest.newBuilder();
            claims.forEach(claim -> request.addClaims(message(claim)));
            DRAPluginGrpc.newBlockingStub(channel.channel())
                    .withDeadlineAfter(TIMEOUT_SECONDS, TimeUnit.SECONDS)
                    .nodeUnprepareResources(request.build())
                    .getClaimsMap()
                    .forEach((uid, one) -> errors.put(uid, one.getError()));
        } else {
            var request = dev.berth.wire.dra.v1beta1.NodeUnprepareResourcesRequest.newBuilder();
            claims.forEach(claim -> request.addClaims(oldMessage(claim)));
            dev.berth.wire.dra.v1beta1.DRAPluginGrpc.newBlockingStub(channel.channel())
                    .withDeadlineAfter(TIMEOUT_SECONDS, TimeUnit.SECONDS)
                    .nodeUnprepareResources(request.build())
                    .getClaimsMap()
                    .forEach((uid, one) -> errors.put(uid, one.getError()));
        }
        return errors;
    }

    private static Claim message(NodeClaimState claim) {
        return Claim.newBuilder()
                .setNamespace(claim.ref().namespace())
                .setName(claim.ref().name())
                .setUid(claim.uid().value())
                .build();
    }

    private static dev.berth.wire.dra.v1beta1.Claim oldMessage(NodeClaimState claim) {
        return dev.berth.wire.dra.v1beta1.Claim.newBuilder()
                .setNamespace(claim.ref().namespace())
                .setName(claim.ref().name())
                .setUid(claim.uid().value())
                .build();
    }

    @Override
    public void close() {
        channel.close();
    }
}
