package dev.berth.node.driver;

import dev.berth.wire.registration.InfoRequest;
import dev.berth.wire.registration.PluginInfo;
import dev.berth.wire.registration.RegistrationGrpc;
import dev.berth.wire.registration.RegistrationStatus;
import dev.berth.wire.registration.RegistrationStatusResponse;
import io.grpc.stub.StreamObserver;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// The kubelet's plugin registration service (`pluginregistration.v1`), by which kubelets learn the
/// driver's name, socket and versions.
final class RegistrationService extends RegistrationGrpc.RegistrationImplBase {

    private final DriverOptions options;
    private final Path service;
    private volatile boolean isRegistered;

    RegistrationService(DriverOptions options, Path service) {
        this.options = options;
        this.service = service;
    }

    boolean isRegistered() {
        return isRegistered;
    }

    @Override
    public void getInfo(InfoRequest request, StreamObserver<PluginInfo> observer) {
        observer.onNext(
                PluginInfo.newBuilder()
                        .setType("DRAPlugin")
                        .setName(options.driver())
                        .setEndpoint(service.toAbsolutePath().toString())
                        .addAllSupportedVersions(versions())
                        .build());
        observer.onCompleted();
    }

    /// Supported versions; kubelets use the first one they know. These are not the names of the
    /// gRPC services.
    private List<String> versions() {
        var versions = new ArrayList<>(List.of("v1.DRAPlugin", "v1beta1.DRAPlugin"));
        if (options.hasHealth()) {
            versions.add("v1.DRAResourceHealth");
            versions.add("v1alpha1.DRAResourceHealth");
        }
        return versions;
    }

    @Override
    public void notifyRegistrationStatus(
            RegistrationStatus status, StreamObserver<RegistrationStatusResponse> observer) {
        isRegistered = status.getPluginRegistered();
        if (!isRegistered) {
            options.problems().accept(new DriverProblem.RegistrationRefused(status.getError()));
        }
        observer.onNext(RegistrationStatusResponse.getDefaultInstance());
        observer.onCompleted();
    }
}
