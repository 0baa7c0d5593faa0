package dev.berth.node.cri;

import com.google.protobuf.ByteString;
import dev.berth.node.socket.SocketServer;
import dev.berth.wire.cri.Container;
import dev.berth.wire.cri.ContainerConfig;
import dev.berth.wire.cri.ContainerState;
import dev.berth.wire.cri.ContainerStatus;
import dev.berth.wire.cri.ContainerStatusRequest;
import dev.berth.wire.cri.ContainerStatusResponse;
import dev.berth.wire.cri.CreateContainerRequest;
import dev.berth.wire.cri.CreateContainerResponse;
import dev.berth.wire.cri.ExecSyncRequest;
import dev.berth.wire.cri.ExecSyncResponse;
import dev.berth.wire.cri.Image;
import dev.berth.wire.cri.ImageServiceGrpc;
import dev.berth.wire.cri.ImageStatusRequest;
import dev.berth.wire.cri.ImageStatusResponse;
import dev.berth.wire.cri.ListContainersRequest;
import dev.berth.wire.cri.ListContainersResponse;
import dev.berth.wire.cri.ListPodSandboxRequest;
import dev.berth.wire.cri.ListPodSandboxResponse;
import dev.berth.wire.cri.PodSandbox;
import dev.berth.wire.cri.PodSandboxConfig;
import dev.berth.wire.cri.PodSandboxNetworkStatus;
import dev.berth.wire.cri.PodSandboxStatus;
import dev.berth.wire.cri.PodSandboxStatusRequest;
import dev.berth.wire.cri.PodSandboxStatusResponse;
import dev.berth.wire.cri.PullImageRequest;
import dev.berth.wire.cri.PullImageResponse;
import dev.berth.wire.cri.RemoveContainerRequest;
import dev.berth.wire.cri.RemoveContainerResponse;
import dev.berth.wire.cri.ReopenContainerLogRequest;
import dev.berth.wire.cri.ReopenContainerLogResponse;
import dev.berth.wire.cri.RunPodSandboxRequest;
import dev.berth.wire.cri.RunPodSandboxResponse;
import dev.berth.wire.cri.RuntimeServiceGrpc;
import dev.berth.wire.cri.StatusRequest;
import dev.berth.wire.cri.StatusResponse;
import dev.berth.wire.cri.StopContainerRequest;
import dev.berth.wire.cri.StopContainerResponse;
import dev.berth.wire.cri.VersionRequest;
import dev.berth.wire.cri.VersionResponse;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/// A fake CRI runtime that records requests and runs nothing.
final class FakeCri implements AutoCloseable {

    String name = "cri-o";
    String version = "1.33.0";
    Map<String, String> info = Map.of();
    boolean passesOverDevices;
    final List<CreateContainerRequest> made = new CopyOnWriteArrayList<>();
    final List<String> reopened = new CopyOnWriteArrayList<>();
    final List<String> pulled = new CopyOnWriteArrayList<>();
    final Map<String, PodSandboxConfig> sandboxes = new ConcurrentHashMap<>();
    final Map<String, ContainerConfig> containers = new ConcurrentHashMap<>();
    final Map<String, ContainerStatus> statuses = new ConcurrentHashMap<>();
    private final SocketServer server;

    FakeCri(Path socket) throws IOException {
        this.server = SocketServer.start(socket, List.of(new Running(), new Images()));
    }

    @Override
    public void close() {
        server.close();
    }

    private static <T> void respond(StreamObserver<T> observer, T value) {
        observer.onNext(value);
        observer.onCompleted();
    }

    private static void notFound(StreamObserver<?> observer) {
        observer.onError(Status.NOT_FOUND.withDescription("no such thing").asRuntimeException());
    }

    private final class Running extends RuntimeServiceGrpc.RuntimeServiceImplBase {

        @Override
        public void version(VersionRequest request, StreamObserver<VersionResponse> observer) {
            respond(
                    observer,
                    VersionResponse.newBuilder()
                            .setRuntimeName(name)
                            .setRuntimeVersion(version)
                            .build());
        }

        @Override
        public void status(StatusRequest request, StreamObserver<StatusResponse> observer) {
            respond(
                    observer,
                    StatusResponse.newBuilder()
                            .putAllInfo(request.getVerbose() ? info : Map.of())
                            .build());
        }

        @Override
        public void runPodSandbox(
                RunPodSandboxRequest request, StreamObserver<RunPodSandboxResponse> observer) {
            var id = "sandbox-" + sandboxes.size();
            sandboxes.put(id, request.getConfig());
            respond(observer, RunPodSandboxResponse.newBuilder().setPodSandboxId(id).build());
        }

        @Override
        public void listPodSandbox(
                ListPodSandboxRequest request, StreamObserver<ListPodSandboxResponse> observer) {
            var respond = ListPodSandboxResponse.newBuilder();
            sandboxes.forEach((id, config) -> {
                if (config.getLabelsMap()
                        .entrySet()
                        .containsAll(request.getFilter().getLabelSelectorMap().entrySet())) {
                    respond.addItems(
                            PodSandbox.newBuilder()
                                    .setId(id)
                                    .setMetadata(config.getMetadata())
                                    .setCreatedAt(1_500_000_000L));
                }
            });
            respond(observer, respond.build());
        }

        @Override
        public void podSandboxStatus(
                PodSandboxStatusRequest request,
                StreamObserver<PodSandboxStatusResponse> observer) {
            var config = sandboxes.get(request.getPodSandboxId());
            if (config == null) {
                notFound(observer);
                return;
            }
            var status =
                    PodSandboxStatus.newBuilder()
                            .setMetadata(config.getMetadata())
                            .putAllAnnotations(config.getAnnotationsMap())
                            .setNetwork(PodSandboxNetworkStatus.newBuilder().setIp("10.1.2.3"));
            respond(observer, PodSandboxStatusResponse.newBuilder().setStatus(status).build());
        }

        @Override
        public void createContainer(
                CreateContainerRequest request, StreamObserver<CreateContainerResponse> observer) {
            for (var device : request.getConfig().getCDIDevicesList()) {
                if (device.getName().endsWith("=absent") && !passesOverDevices) {
                    observer.onError(
                            Status.UNKNOWN
                                    .withDescription("unresolvable CDI devices " + device.getName())
                                    .asRuntimeException());
                    return;
                }
            }
            made.add(request);
            var id = "container-" + made.size();
            containers.put(id, request.getConfig());
            respond(observer, CreateContainerResponse.newBuilder().setContainerId(id).build());
        }

        @Override
        public void listContainers(
                ListContainersRequest request, StreamObserver<ListContainersResponse> observer) {
            var respond = ListContainersResponse.newBuilder();
            containers.forEach((id, config) ->
                    respond.addContainers(
                            Container.newBuilder()
                                    .setId(id)
                                    .setPodSandboxId("sandbox-0")
                                    .setMetadata(config.getMetadata())
                                    .setImageRef("sha256:1")
                                    .putAllLabels(config.getLabelsMap())
                                    .putAllAnnotations(config.getAnnotationsMap())));
            respond(observer, respond.build());
        }

        @Override
        public void containerStatus(
                ContainerStatusRequest request, StreamObserver<ContainerStatusResponse> observer) {
            var id = request.getContainerId();
            if (!containers.containsKey(id)) {
                notFound(observer);
                return;
            }
            var created =
                    ContainerStatus.newBuilder().setState(ContainerState.CONTAINER_CREATED).build();
            respond(
                    observer,
                    ContainerStatusResponse.newBuilder()
                            .setStatus(statuses.getOrDefault(id, created))
                            .build());
        }

        @Override
        public void stopContainer(
                StopContainerRequest request, StreamObserver<StopContainerResponse> observer) {
            notFound(observer);
        }

        @Override
        public void removeContainer(
                RemoveContainerRequest request, StreamObserver<RemoveContainerResponse> observer) {
            containers.remove(request.getContainerId());
            respond(observer, RemoveContainerResponse.getDefaultInstance());
        }

        @Override
        public void reopenContainerLog(
                ReopenContainerLogRequest request,
                StreamObserver<ReopenContainerLogResponse> observer) {
            reopened.add(request.getContainerId());
            respond(observer, ReopenContainerLogResponse.getDefaultInstance());
        }

        @Override
        public void execSync(ExecSyncRequest request, StreamObserver<ExecSyncResponse> observer) {
            respond(
                    observer,
                    ExecSyncResponse.newBuilder()
                            .setStdout(ByteString.copyFromUtf8(request.getCmdList().toString()))
                            .setExitCode((int) request.getTimeout())
                            .build());
        }
    }

    private final class Images extends ImageServiceGrpc.ImageServiceImplBase {

        @Override
        public void imageStatus(
                ImageStatusRequest request, StreamObserver<ImageStatusResponse> observer) {
            var respond = ImageStatusResponse.newBuilder();
            var reference = request.getImage().getImage();
            if (!reference.equals("far") || pulled.contains("far")) {
                respond.setImage(Image.newBuilder().setId("sha256:1").setUsername("web"));
                respond.putInfo(
                        "info",
                        """
                        {"imageSpec": {"config": {"Entrypoint": ["/bin/run"], "Cmd": ["-v"],
                         "Env": ["PATH=/bin", "EMPTY="], "WorkingDir": "/srv", "User": "web"}}}
                        """);
            }
            respond(observer, respond.build());
        }

        @Override
        public void pullImage(
                PullImageRequest request, StreamObserver<PullImageResponse> observer) {
            pulled.add(request.getImage().getImage());
            respond(observer, PullImageResponse.getDefaultInstance());
        }
    }
}
