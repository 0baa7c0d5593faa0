package dev.berth.node.agent;

import dev.berth.node.agent.NodeClaimState.PreparedDevice;
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

/// A registered DRA driver and the gRPC client of its socket.
final class DraPlugin implements AutoCloseable {

    /// Supported services, by the names that drivers announce at registration.
    static final String V1 = "v1.DRAPlugin";

    static final String V1BETA1 = "v1beta1.DRAPlugin";

    static final String HEALTH_V1 = "v1.DRAResourceHealth";

    static final String HEALTH_V1ALPHA1 = "v1alpha1.DRAResourceHealth";

    /// Timeout of a call, the kubelet's.
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
        // Connects at once, to learn whether the driver is reachable.
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

    /// Result of a call for one claim.
    sealed interface ClaimResult {

        record Done(List<PreparedDevice> devices) implements ClaimResult {}

        record Failed(String reason) implements ClaimResult {}
    }

    /// Result of a call: results by claim UID, or the error of the call.
    sealed interface CallResult {

        record Completed(Map<String, ClaimResult> results) implements CallResult {}

        record Failed(Status.Code code, String reason) implements CallResult {}

        default Status.Code statusCode() {
            return this instanceof Failed(var code, _) ? code : Status.Code.OK;
        }
    }

    CallResult prepare(List<NodeClaimState> claims) {
        try {
            return new CallResult.Completed(
                    version.equals(V1) ? prepareV1(claims) : prepareV1beta1(claims));
        } catch (StatusRuntimeException e) {
            return new CallResult.Failed(
                    e.getStatus().getCode(), "NodePrepareResources: " + GrpcErrorText.of(e));
        }
    }

    private Map<String, ClaimResult> prepareV1(List<NodeClaimState> claims) {
        var request = NodePrepareResourcesRequest.newBuilder();
        claims.forEach(claim -> request.addClaims(message(claim)));
        var results = new HashMap<String, ClaimResult>();
        DRAPluginGrpc.newBlockingStub(channel.channel())
                .withDeadlineAfter(TIMEOUT_SECONDS, TimeUnit.SECONDS)
                .nodePrepareResources(request.build())
                .getClaimsMap()
                .forEach((uid, one) ->
                        results.put(
                                uid,
                                one.getError().isEmpty()
                                        ? new ClaimResult.Done(
                                                one.getDevicesList().stream()
                                                        .map(DraPlugin::device)
                                                        .toList())
                                        : new ClaimResult.Failed(one.getError())));
        return results;
    }

    private static PreparedDevice device(dev.berth.wire.dra.v1.Device device) {
        return new PreparedDevice(
                device.getPoolName(),
                device.getDeviceName(),
                device.hasShareId() ? Optional.of(device.getShareId()) : Optional.empty(),
                device.getRequestNamesList(),
                device.getCdiDeviceIdsList());
    }

    private Map<String, ClaimResult> prepareV1beta1(List<NodeClaimState> claims) {
        var request = dev.berth.wire.dra.v1beta1.NodePrepareResourcesRequest.newBuilder();
        claims.forEach(claim -> request.addClaims(oldMessage(claim)));
        var results = new HashMap<String, ClaimResult>();
        dev.berth.wire.dra.v1beta1.DRAPluginGrpc.newBlockingStub(channel.channel())
                .withDeadlineAfter(TIMEOUT_SECONDS, TimeUnit.SECONDS)
                .nodePrepareResources(request.build())
                .getClaimsMap()
                .forEach((uid, one) ->
                        results.put(
                                uid,
                                one.getError().isEmpty()
                                        ? new ClaimResult.Done(
                                                one.getDevicesList().stream()
                                                        .map(DraPlugin::device)
                                                        .toList())
                                        : new ClaimResult.Failed(one.getError())));
        return results;
    }

    private static PreparedDevice device(dev.berth.wire.dra.v1beta1.Device device) {
        return new PreparedDevice(
                device.getPoolName(),
                device.getDeviceName(),
                Optional.empty(),
                device.getRequestNamesList(),
                device.getCdiDeviceIdsList());
    }

    CallResult unprepare(List<NodeClaimState> claims) {
        var results = new HashMap<String, ClaimResult>();
        try {
            unprepareErrors(claims)
                    .forEach((uid, error) ->
                            results.put(
                                    uid,
                                    error.isEmpty()
                                            ? new ClaimResult.Done(List.of())
                                            : new ClaimResult.Failed(error)));
            return new CallResult.Completed(results);
        } catch (StatusRuntimeException e) {
            return new CallResult.Failed(
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
