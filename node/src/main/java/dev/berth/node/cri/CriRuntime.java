package dev.berth.node.cri;

import dev.berth.node.cri.CriPreflight.CdiSupport;
import dev.berth.node.runtime.CommandResult;
import dev.berth.node.runtime.CommandSession;
import dev.berth.node.runtime.ContainerRuntime;
import dev.berth.node.runtime.ContainerSpec;
import dev.berth.node.runtime.ContainerState;
import dev.berth.node.runtime.ContainerState.Phase;
import dev.berth.node.runtime.ImageConfig;
import dev.berth.node.runtime.RuntimeFailure;
import dev.berth.node.runtime.RuntimeIdentity;
import dev.berth.node.runtime.SandboxSpec;
import dev.berth.node.runtime.SandboxState;
import dev.berth.wire.cri.Container;
import dev.berth.wire.cri.ContainerConfig;
import dev.berth.wire.cri.ContainerFilter;
import dev.berth.wire.cri.ContainerStatusRequest;
import dev.berth.wire.cri.CreateContainerRequest;
import dev.berth.wire.cri.ExecRequest;
import dev.berth.wire.cri.ExecSyncRequest;
import dev.berth.wire.cri.Image;
import dev.berth.wire.cri.ImageSpec;
import dev.berth.wire.cri.ImageStatusRequest;
import dev.berth.wire.cri.ImageStatusResponse;
import dev.berth.wire.cri.ListContainersRequest;
import dev.berth.wire.cri.ListPodSandboxRequest;
import dev.berth.wire.cri.PodSandbox;
import dev.berth.wire.cri.PodSandboxConfig;
import dev.berth.wire.cri.PodSandboxFilter;
import dev.berth.wire.cri.PodSandboxNetworkStatus;
import dev.berth.wire.cri.PodSandboxState;
import dev.berth.wire.cri.PodSandboxStatusRequest;
import dev.berth.wire.cri.PullImageRequest;
import dev.berth.wire.cri.RemoveContainerRequest;
import dev.berth.wire.cri.RemovePodSandboxRequest;
import dev.berth.wire.cri.ReopenContainerLogRequest;
import dev.berth.wire.cri.RunPodSandboxRequest;
import dev.berth.wire.cri.StartContainerRequest;
import dev.berth.wire.cri.StatusRequest;
import dev.berth.wire.cri.StopContainerRequest;
import dev.berth.wire.cri.StopPodSandboxRequest;
import dev.berth.wire.cri.VersionRequest;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Container runtime over CRI v1 on a unix socket: containerd from 1.7 on, CRI-O.
///
/// It sees only its own objects, by a label. A runtime that would ignore CDI devices is refused: by
/// its version, by its status or, if the status does not report it, by creating a container with a
/// device that does not exist, before the first container with devices.
public final class CriRuntime implements ContainerRuntime {

    private final CriCalls calls;
    private final RuntimeIdentity identity;
    private final CriSecurity security;
    private final CriEvents events;
    private volatile boolean isCdiVerified;

    /// Cache of terminated containers, whose status does not change.
    private volatile Map<String, Phase> terminated = Map.of();

    private CriRuntime(
            CriCalls calls, RuntimeIdentity identity, CriSecurity security, boolean isCdiVerified) {
        this.calls = calls;
        this.identity = identity;
        this.security = security;
        this.isCdiVerified = isCdiVerified;
        this.events = new CriEvents(calls);
    }

    /// Connects to a runtime.
    ///
    /// @param socket such as `/run/containerd/containerd.sock`
    /// @throws RuntimeFailure when no runtime responds, or it would ignore CDI devices
    public static CriRuntime connect(Path socket) throws RuntimeFailure {
        var calls = new CriCalls(socket);
        try {
            var version =
                    calls.invoke(
                            "the version of the runtime",
                            stub -> stub.version(VersionRequest.getDefaultInstance()));
            var identity =
                    new RuntimeIdentity(version.getRuntimeName(), version.getRuntimeVersion());
            var status =
                    calls.invoke(
                            "the status of the runtime",
                            stub ->
                                    stub.status(
                                            StatusRequest.newBuilder().setVerbose(true).build()));
            var security =
                    new CriSecurity(
                            status.getFeatures().getSupplementalGroupsPolicy(),
                            CriSecurity.SE_LINUX);
            return switch (CriPreflight.check(identity, status.getInfoMap())) {
                case CdiSupport.Unsupported(var why) -> throw new RuntimeFailure(why);
                case CdiSupport.Supported _ -> new CriRuntime(calls, identity, security, true);
                case CdiSupport.Unknown _ -> new CriRuntime(calls, identity, security, false);
            };
        } catch (RuntimeFailure e) {
            calls.close();
            throw e;
        }
    }

    @Override
    public RuntimeIdentity identity() {
        return identity;
    }

    @Override
    public Optional<ImageConfig> image(String reference) throws RuntimeFailure {
        var spec = ImageSpec.newBuilder().setImage(reference).build();
        var imageStatus = status(spec, true);
        if (!imageStatus.hasImage()) {
            calls.invokeImages(
                    "image %s cannot be pulled".formatted(reference),
                    stub -> stub.pullImage(PullImageRequest.newBuilder().setImage(spec).build()));
            imageStatus = status(spec, true);
        }
        return imageStatus.hasImage()
                ? Optional.of(CriImages.config(imageStatus))
                : Optional.empty();
    }

    private ImageStatusResponse status(ImageSpec spec, boolean all) throws RuntimeFailure {
        return calls.invokeImages(
                "cannot get the status of image %s".formatted(spec.getImage()),
                stub ->
                        stub.imageStatus(
                                ImageStatusRequest.newBuilder()
                                        .setImage(spec)
                                        .setVerbose(all)
                                        .build()));
    }

    @Override
    public String createSandbox(SandboxSpec spec) throws RuntimeFailure {
        var request =
                RunPodSandboxRequest.newBuilder().setConfig(CriRequests.sandbox(spec)).build();
        return calls.invoke(
                        "the sandbox of pod %s cannot be created".formatted(spec.pod()),
                        stub -> stub.runPodSandbox(request))
                .getPodSandboxId();
    }

    @Override
    public List<SandboxState> sandboxes() throws RuntimeFailure {
        var ours = PodSandboxFilter.newBuilder().putLabelSelector(CriLabels.OURS, CriLabels.YES);
        var request = ListPodSandboxRequest.newBuilder().setFilter(ours).build();
        var states = new ArrayList<SandboxState>();
        for (var sandbox :
                calls.invoke("sandboxes cannot be listed", stub -> stub.listPodSandbox(request))
                        .getItemsList()) {
            network(sandbox).ifPresent(network -> states.add(CriStates.sandbox(sandbox, network)));
        }
        return states;
    }

    /// The network of a sandbox; empty if the sandbox was removed meanwhile.
    private Optional<PodSandboxNetworkStatus> network(PodSandbox sandbox) throws RuntimeFailure {
        if (sandbox.getState() != PodSandboxState.SANDBOX_READY) {
            return Optional.of(PodSandboxNetworkStatus.getDefaultInstance());
        }
        var request = PodSandboxStatusRequest.newBuilder().setPodSandboxId(sandbox.getId()).build();
        return calls.find(
                        "cannot get the status of sandbox %s".formatted(sandbox.getId()),
                        stub -> stub.podSandboxStatus(request))
                .map(response -> response.getStatus().getNetwork());
    }

    @Override
    public void removeSandbox(String sandbox) throws RuntimeFailure {
        var what = "sandbox %s cannot be removed".formatted(sandbox);
        calls.invokeIfExists(
                what,
                Duration.ZERO,
                stub ->
                        stub.stopPodSandbox(
                                StopPodSandboxRequest.newBuilder()
                                        .setPodSandboxId(sandbox)
                                        .build()));
        calls.invokeIfExists(
                what,
                Duration.ZERO,
                stub ->
                        stub.removePodSandbox(
                                RemovePodSandboxRequest.newBuilder()
                                        .setPodSandboxId(sandbox)
                                        .build()));
    }

    @Override
    public String createContainer(String sandbox, ContainerSpec spec) throws RuntimeFailure {
        var what = "container %s cannot be created".formatted(spec.name());
        var status =
                calls.invoke(
                        what,
                        stub ->
                                stub.podSandboxStatus(
                                        PodSandboxStatusRequest.newBuilder()
                                                .setPodSandboxId(sandbox)
                                                .build()));
        var of = CriRequests.decode(sandbox, status.getStatus().getAnnotationsMap());
        Image image =
                status(ImageSpec.newBuilder().setImage(spec.image()).build(), false).getImage();
        var context =
                security.context(
                        spec.security(),
                        of.getLinux().getSecurityContext().getNamespaceOptions(),
                        image);
        var config = CriRequests.container(spec, of, context);
        if (!spec.cdiDevices().isEmpty()) {
            verifyCdi(sandbox, of, config);
        }
        return create(what, sandbox, of, config);
    }

    private String create(String what, String sandbox, PodSandboxConfig of, ContainerConfig config)
            throws RuntimeFailure {
        var request =
                CreateContainerRequest.newBuilder()
                        .setPodSandboxId(sandbox)
                        .setConfig(config)
                        .setSandboxConfig(of)
                        .build();
        return calls.invoke(what, stub -> stub.createContainer(request)).getContainerId();
    }

    /// Lets the runtime create the container with a device that does not exist, which must fail.
    private void verifyCdi(String sandbox, PodSandboxConfig of, ContainerConfig config)
            throws RuntimeFailure {
        if (isCdiVerified) {
            return;
        }
        var canary = config.toBuilder().clearCDIDevices();
        canary.getMetadataBuilder().setName("berth-canary");
        canary.addCDIDevicesBuilder().setName(CriPreflight.CANARY);
        String created;
        try {
            created = create("cannot verify CDI support", sandbox, of, canary.build());
        } catch (RuntimeFailure e) {
            if (String.valueOf(e.getMessage()).contains(CriPreflight.CANARY)) {
                isCdiVerified = true;
                return;
            }
            throw e;
        }
        removeContainer(created);
        throw new RuntimeFailure(CriPreflight.ignoredDevices(identity));
    }

    @Override
    public void startContainer(String container) throws RuntimeFailure {
        calls.invoke(
                "container %s cannot be started".formatted(container),
                stub ->
                        stub.startContainer(
                                StartContainerRequest.newBuilder()
                                        .setContainerId(container)
                                        .build()));
    }

    @Override
    public void stopContainer(String container, Duration grace) throws RuntimeFailure {
        calls.invokeIfExists(
                "container %s cannot be stopped".formatted(container),
                grace,
                stub ->
                        stub.stopContainer(
                                StopContainerRequest.newBuilder()
                                        .setContainerId(container)
                                        .setTimeout(seconds(grace))
                                        .build()));
    }

    @Override
    public void removeContainer(String container) throws RuntimeFailure {
        calls.invokeIfExists(
                "container %s cannot be removed".formatted(container),
                Duration.ZERO,
                stub ->
                        stub.removeContainer(
                                RemoveContainerRequest.newBuilder()
                                        .setContainerId(container)
                                        .build()));
    }

    @Override
    public List<ContainerState> containers() throws RuntimeFailure {
        var ours = ContainerFilter.newBuilder().putLabelSelector(CriLabels.OURS, CriLabels.YES);
        var request = ListContainersRequest.newBuilder().setFilter(ours).build();
        var states = new ArrayList<ContainerState>();
        var terminatedNow = new HashMap<String, Phase>();
        for (var container :
                calls.invoke("containers cannot be listed", stub -> stub.listContainers(request))
                        .getContainersList()) {
            var phase = phase(container);
            if (phase.isPresent()) {
                states.add(CriStates.container(container, phase.get()));
                if (phase.get() instanceof Phase.Exited) {
                    terminatedNow.put(container.getId(), phase.get());
                }
            }
        }
        terminated = Map.copyOf(terminatedNow);
        return states;
    }

    /// The phase of a container; empty if it was removed meanwhile.
    private Optional<Phase> phase(Container container) throws RuntimeFailure {
        var imageStatus = terminated.get(container.getId());
        if (imageStatus != null) {
            return Optional.of(imageStatus);
        }
        var request = ContainerStatusRequest.newBuilder().setContainerId(container.getId()).build();
        return calls.find(
                        "cannot get the status of container %s".formatted(container.getId()),
                        stub -> stub.containerStatus(request))
                .map(response -> CriStates.phase(response.getStatus()));
    }

    @Override
    public void reopenLog(String container) throws RuntimeFailure {
        calls.invoke(
                "the log of container %s cannot be reopened".formatted(container),
                stub ->
                        stub.reopenContainerLog(
                                ReopenContainerLogRequest.newBuilder()
                                        .setContainerId(container)
                                        .build()));
    }

    @Override
    public CommandResult run(String container, List<String> command, Duration timeout)
            throws RuntimeFailure {
        var request =
                ExecSyncRequest.newBuilder()
                        .setContainerId(container)
                        .addAllCmd(command)
                        .setTimeout(seconds(timeout))
                        .build();
        var response =
                calls.invoke(
                        "%s did not complete within %d s".formatted(command, seconds(timeout)),
                        timeout.plusSeconds(30),
                        stub -> stub.execSync(request));
        return new CommandResult(
                response.getExitCode(),
                response.getStdout().toStringUtf8(),
                response.getStderr().toStringUtf8());
    }

    @Override
    public CommandSession open(String container, List<String> command, boolean hasTerminal)
            throws RuntimeFailure {
        var request =
                ExecRequest.newBuilder()
                        .setContainerId(container)
                        .addAllCmd(command)
                        .setTty(hasTerminal)
                        .setStdin(true)
                        .setStdout(true)
                        .setStderr(!hasTerminal)
                        .build();
        var response =
                calls.invoke("%s cannot be run".formatted(command), stub -> stub.exec(request));
        return CriCommand.open(response.getUrl(), hasTerminal);
    }

    /// CRI timeouts are in seconds, and zero means none.
    private static long seconds(Duration duration) {
        return Math.max(0, duration.plusMillis(999).toSeconds());
    }

    @Override
    public void onChange(Runnable listener) {
        events.addListener(listener);
    }

    @Override
    public void close() {
        events.close();
        calls.close();
    }
}
