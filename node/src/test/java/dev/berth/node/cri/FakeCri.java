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

/// A runtime that remembers what it is told and runs nothing.
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

    private static <T> void answer(StreamObserver<T> to, T value) {
        to.onNext(value);
        to.onCompleted();
    }

    private static void gone(StreamObserver<?> to) {
        to.onError(Status.NOT_FOUND.withDescription("no such thing").asRuntimeException());
    }

    private final class Running extends RuntimeServiceGrpc.RuntimeServiceImplBase {

        @Override
        public void version(VersionRequest request, StreamObserver<VersionResponse> to) {
            answer(
                    to,
                    VersionResponse.newBuilder()
                            .setRuntimeName(name)
                            .setRuntimeVersion(version)
                            .build());
        }

        @Override
        public void status(StatusRequest request, StreamObserver<StatusResponse> to) {
            answer(
                    to,
                    StatusResponse.newBuilder()
                            .putAllInfo(request.getVerbose() ? info : Map.of())
                            .build());
        }

        @Override
        public void runPodSandbox(
                RunPodSandboxRequest request, StreamObserver<RunPodSandboxResponse> to) {
            var id = "sandbox-" + sandboxes.size();
            sandboxes.put(id, request.getConfig());
            answer(to, RunPodSandboxResponse.newBuilder().setPodSandboxId(id).build());
        }

        @Override
        public void listPodSandbox(
                ListPodSandboxRequest request, StreamObserver<ListPodSandboxResponse> to) {
            var answer = ListPodSandboxResponse.newBuilder();
            sandboxes.forEach((id, config) -> {
                if (config.getLabelsMap()
                        .entrySet()
                        .containsAll(request.getFilter().getLabelSelectorMap().entrySet())) {
                    answer.addItems(
                            PodSandbox.newBuilder()
                                    .setId(id)
                                    .setMetadata(config.getMetadata())
                                    .setCreatedAt(1_500_000_000L));
                }
            });
            answer(to, answer.build());
        }

        @Override
        public void podSandboxStatus(
                PodSandboxStatusRequest request, StreamObserver<PodSandboxStatusResponse> to) {
            var config = sandboxes.get(request.getPodSandboxId());
            if (config == null) {
                gone(to);
                return;
            }
            var status =
                    PodSandboxStatus.newBuilder()
                            .setMetadata(config.getMetadata())
                            .putAllAnnotations(config.getAnnotationsMap())
                            .setNetwork(PodSandboxNetworkStatus.newBuilder().setIp("10.1.2.3"));
            answer(to, PodSandboxStatusResponse.newBuilder().setStatus(status).build());
        }

        @Override
        public void createContainer(
                CreateContainerRequest request, StreamObserver<CreateContainerResponse> to) {
            for (var device : request.getConfig().getCDIDevicesList()) {
                if (device.getName().endsWith("=absent") && !passesOverDevices) {
                    to.onError(
                            Status.UNKNOWN
                                    .withDescription("unresolvable CDI devices " + device.getName())
                                    .asRuntimeException());
                    return;
                }
            }
            made.add(request);
            var id = "container-" + made.size();
            containers.put(id, request.getConfig());
            answer(to, CreateContainerResponse.newBuilder().setContainerId(id).build());
        }

        @Override
        public void listContainers(
                ListContainersRequest request, StreamObserver<ListContainersResponse> to) {
            var answer = ListContainersResponse.newBuilder();
            containers.forEach((id, config) ->
                    answer.addContainers(
                            Container.newBuilder()
                                    .setId(id)
                                    .setPodSandboxId("sandbox-0")
                                    .setMetadata(config.getMetadata())
                                    .setImageRef("sha256:1")
                                    .putAllLabels(config.getLabelsMap())
                                    .putAllAnnotations(config.getAnnotationsMap())));
            answer(to, answer.build());
        }

        @Override
        public void containerStatus(
                ContainerStatusRequest request, StreamObserver<ContainerStatusResponse> to) {
            var id = request.getContainerId();
            if (!containers.containsKey(id)) {
                gone(to);
                return;
            }
            var created =
                    ContainerStatus.newBuilder().setState(ContainerState.CONTAINER_CREATED).build();
            answer(
                    to,
                    ContainerStatusResponse.newBuilder()
                            .setStatus(statuses.getOrDefault(id, created))
                            .build());
        }

        @Override
        public void stopContainer(
                StopContainerRequest request, StreamObserver<StopContainerResponse> to) {
            gone(to);
        }

        @Override
        public void removeContainer(
                RemoveContainerRequest request, StreamObserver<RemoveContainerResponse> to) {
            containers.remove(request.getContainerId());
            answer(to, RemoveContainerResponse.getDefaultInstance());
        }

        @Override
        public void reopenContainerLog(
                ReopenContainerLogRequest request, StreamObserver<ReopenContainerLogResponse> to) {
            reopened.add(request.getContainerId());
            answer(to, ReopenContainerLogResponse.getDefaultInstance());
        }

        @Override
        public void execSync(ExecSyncRequest request, StreamObserver<ExecSyncResponse> to) {
            answer(
                    to,
                    ExecSyncResponse.newBuilder()
                            .setStdout(ByteString.copyFromUtf8(request.getCmdList().toString()))
                            .setExitCode((int) request.getTimeout())
                            .build());
        }
    }

    private final class Images extends ImageServiceGrpc.ImageServiceImplBase {

        @Override
        public void imageStatus(
                ImageStatusRequest request, StreamObserver<ImageStatusResponse> to) {
            var answer = ImageStatusResponse.newBuilder();
            var reference = request.getImage().getImage();
            if (!reference.equals("far") || pulled.contains("far")) {
                answer.setImage(Image.newBuilder().setId("sha256:1").setUsername("web"));
                answer.putInfo(
                        "info",
                        """
                        {"imageSpec": {"config": {"Entrypoint": ["/bin/run"], "Cmd": ["-v"],
                         "Env": ["PATH=/bin", "EMPTY="], "WorkingDir": "/srv", "User": "web"}}}
                        """);
            }
            answer(to, answer.build());
        }

        @Override
        public void pullImage(PullImageRequest request, StreamObserver<PullImageResponse> to) {
            pulled.add(request.getImage().getImage());
            answer(to, PullImageResponse.getDefaultInstance());
        }
    }
}
