package dev.berth.node.driver;

import dev.berth.model.api.meta.Uid;
import dev.berth.node.driver.ClaimPrepareService.Outcome;
import dev.berth.wire.dra.v1.DRAPluginGrpc;
import dev.berth.wire.dra.v1.Device;
import dev.berth.wire.dra.v1.NodePrepareResourceResponse;
import dev.berth.wire.dra.v1.NodePrepareResourcesRequest;
import dev.berth.wire.dra.v1.NodePrepareResourcesResponse;
import dev.berth.wire.dra.v1.NodeUnprepareResourceResponse;
import dev.berth.wire.dra.v1.NodeUnprepareResourcesRequest;
import dev.berth.wire.dra.v1.NodeUnprepareResourcesResponse;
import io.grpc.BindableService;
import io.grpc.stub.StreamObserver;
import java.util.Optional;

/// The gRPC service `DRAPlugin` that kubelets call, in versions v1 and v1beta1.
final class DraServices {

    private final ClaimPrepareService<?> prepareService;
    private final DriverMetrics metrics;

    DraServices(ClaimPrepareService<?> prepareService, DriverMetrics metrics) {
        this.prepareService = prepareService;
        this.metrics = metrics;
    }

    BindableService v1() {
        return new V1();
    }

    BindableService v1beta1() {
        return new V1beta1();
    }

    private Outcome prepare(ClaimRef claim) {
        var startNanos = System.nanoTime();
        var outcome = prepareService.prepare(claim);
        metrics.observe("prepare", outcome instanceof Outcome.Failed, startNanos);
        return outcome;
    }

    private Optional<String> unprepare(ClaimRef claim) {
        var startNanos = System.nanoTime();
        var problem = prepareService.unprepare(claim);
        metrics.observe("unprepare", problem.isPresent(), startNanos);
        return problem;
    }

    private final class V1 extends DRAPluginGrpc.DRAPluginImplBase {

        @Override
        public void nodePrepareResources(
                NodePrepareResourcesRequest request,
                StreamObserver<NodePrepareResourcesResponse> observer) {
            var response = NodePrepareResourcesResponse.newBuilder();
            for (var claim : request.getClaimsList()) {
                var ref =
                        new ClaimRef(
                                claim.getNamespace(), claim.getName(), new Uid(claim.getUid()));
                response.putClaims(claim.getUid(), message(prepare(ref)));
            }
            observer.onNext(response.build());
            observer.onCompleted();
        }

        private static NodePrepareResourceResponse message(Outcome outcome) {
            var message = NodePrepareResourceResponse.newBuilder();
            switch (outcome) {
                case Outcome.Failed(var reason) -> message.setError(reason);
                case Outcome.Ready(var devices) -> {
                    for (var device : devices) {
                        var one =
                                Device.newBuilder()
                                        .addRequestNames(device.request())
                                        .setPoolName(device.id().pool())
                                        .setDeviceName(device.id().device())
                                        .addAllCdiDeviceIds(device.cdiIds());
                        device.share().ifPresent(one::setShareId);
                        message.addDevices(one);
                    }
                }
            }
            return message.build();
        }

        @Override
        public void nodeUnprepareResources(
                NodeUnprepareResourcesRequest request,
                StreamObserver<NodeUnprepareResourcesResponse> observer) {
            var response = NodeUnprepareResourcesResponse.newBuilder();
            for (var claim : request.getClaimsList()) {
                var ref =
                        new ClaimRef(
                                claim.getNamespace(), claim.getName(), new Uid(claim.getUid()));
                var message = NodeUnprepareResourceResponse.newBuilder();
                unprepare(ref).ifPresent(message::setError);
                response.putClaims(claim.getUid(), message.build());
            }
            observer.onNext(response.build());
            observer.onCompleted();
        }
    }

    private final class V1beta1 extends dev.berth.wire.dra.v1beta1.DRAPluginGrpc.DRAPluginImplBase {

        @Override
        public void nodePrepareResources(
                dev.berth.wire.dra.v1beta1.NodePrepareResourcesRequest request,
                StreamObserver<dev.berth.wire.dra.v1beta1.NodePrepareResourcesResponse> observer) {
            var response = dev.berth.wire.dra.v1beta1.NodePrepareResourcesResponse.newBuilder();
            for (var claim : request.getClaimsList()) {
                var ref =
                        new ClaimRef(
                                claim.getNamespace(), claim.getName(), new Uid(claim.getUid()));
                response.putClaims(claim.getUid(), message(prepare(ref)));
            }
            observer.onNext(response.build());
            observer.onCompleted();
        }

        private static dev.berth.wire.dra.v1beta1.NodePrepareResourceResponse message(
                Outcome outcome) {
            var message = dev.berth.wire.dra.v1beta1.NodePrepareResourceResponse.newBuilder();
            switch (outcome) {
                case Outcome.Failed(var reason) -> message.setError(reason);
                case Outcome.Ready(var devices) -> {
                    for (var device : devices) {
                        message.addDevices(
                                dev.berth.wire.dra.v1beta1.Device.newBuilder()
                                        .addRequestNames(device.request())
                                        .setPoolName(device.id().pool())
                                        .setDeviceName(device.id().device())
                                        .addAllCdiDeviceIds(device.cdiIds()));
                    }
                }
            }
            return message.build();
        }

        @Override
        public void nodeUnprepareResources(
                dev.berth.wire.dra.v1beta1.NodeUnprepareResourcesRequest request,
                StreamObserver<dev.berth.wire.dra.v1beta1.NodeUnprepareResourcesResponse>
                        observer) {
            var response = dev.berth.wire.dra.v1beta1.NodeUnprepareResourcesResponse.newBuilder();
            for (var claim : request.getClaimsList()) {
                var ref =
                        new ClaimRef(
                                claim.getNamespace(), claim.getName(), new Uid(claim.getUid()));
                var message = dev.berth.wire.dra.v1beta1.NodeUnprepareResourceResponse.newBuilder();
                unprepare(ref).ifPresent(message::setError);
                response.putClaims(claim.getUid(), message.build());
            }
            observer.onNext(response.build());
            observer.onCompleted();
        }
    }
}
