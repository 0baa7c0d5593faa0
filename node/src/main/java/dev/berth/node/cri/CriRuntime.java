package dev.berth.node.cri;

import dev.berth.node.cri.CriPreflight.Verdict;
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

/// Containers by a runtime that speaks CRI v1 on a unix socket: containerd from 1.7 on, CRI-O.
///
/// It only sees what it has made itself, by a label. A runtime that would pass over devices is
/// refused: by its version, by what it tells of itself or, when it tells nothing, by what it does
/// with a device that does not exist, which is tried before the first container with devices.
public final class CriRuntime implements ContainerRuntime {

    private final CriCalls calls;
    private final RuntimeIdentity identity;
    private final CriSecurity security;
    private final CriEvents events;
    private volatile boolean isProven;

    /// Containers that have ended do not change any more.
    private volatile Map<String, Phase> ended = Map.of();

    private CriRuntime(
            CriCalls calls, RuntimeIdentity identity, CriSecurity security, boolean isProven) {
        this.calls = calls;
        this.identity = identity;
        this.security = security;
        this.isProven = isProven;
        this.events = new CriEvents(calls);
    }

    /// Connects to a runtime.
    ///
    /// @param socket such as `/run/containerd/containerd.sock`
    /// @throws RuntimeFailure when none answers, and when it would pass over devices
    public static CriRuntime connect(Path socket) throws RuntimeFailure {
        var calls = new CriCalls(socket);
        try {
            var version =
                    calls.ask(
                            "the version of the runtime",
                            stub -> stub.version(VersionRequest.getDefaultInstance()));
            var identity =
                    new RuntimeIdentity(version.getRuntimeName(), version.getRuntimeVersion());
            var status =
                    calls.ask(
                            "the status of the runtime",
                            stub ->
                                    stub.status(
                                            StatusRequest.newBuilder().setVerbose(true).build()));
            var security =
                    new CriSecurity(
                            status.getFeatures().getSupplementalGroupsPolicy(),
                            CriSecurity.SE_LINUX);
            return switch (CriPreflight.judge(identity, status.getInfoMap())) {
                case Verdict.Unfit(var why) -> throw new RuntimeFailure(why);
                case Verdict.Fit _ -> new CriRuntime(calls, identity, security, true);
                case Verdict.Untold _ -> new CriRuntime(calls, identity, security, false);
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
        var known = status(spec, true);
        if (!known.hasImage()) {
            calls.askImages(
                    "image %s cannot be pulled".formatted(reference),
                    stub -> stub.pullImage(PullImageRequest.newBuilder().setImage(spec).build()));
            known = status(spec, true);
        }
        return known.hasImage() ? Optional.of(CriImages.config(known)) : Optional.empty();
    }

    private ImageStatusResponse status(ImageSpec spec, boolean all) throws RuntimeFailure {
        return calls.askImages(
                "image %s cannot be looked up".formatted(spec.getImage()),
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
        return calls.ask(
                        "the sandbox of pod %s cannot be made".formatted(spec.pod()),
                        stub -> stub.runPodSandbox(request))
                .getPodSandboxId();
    }

    @Override
    public List<SandboxState> sandboxes() throws RuntimeFailure {
        var ours = PodSandboxFilter.newBuilder().putLabelSelector(CriLabels.OURS, CriLabels.YES);
        var request = ListPodSandboxRequest.newBuilder().setFilter(ours).build();
        var states = new ArrayList<SandboxState>();
        for (var sandbox :
                calls.ask("sandboxes cannot be listed", stub -> stub.listPodSandbox(request))
                        .getItemsList()) {
            network(sandbox).ifPresent(network -> states.add(CriStates.sandbox(sandbox, network)));
        }
        return states;
    }

    /// The network of a sandbox; empty when the sandbox went while it was asked about.
    private Optional<PodSandboxNetworkStatus> network(PodSandbox sandbox) throws RuntimeFailure {
        if (sandbox.getState() != PodSandboxState.SANDBOX_READY) {
            return Optional.of(PodSandboxNetworkStatus.getDefaultInstance());
        }
        var request = PodSandboxStatusRequest.newBuilder().setPodSandboxId(sandbox.getId()).build();
        return calls.find(
                        "sandbox %s cannot be looked at".formatted(sandbox.getId()),
                        stub -> stub.podSandboxStatus(request))
                .map(answer -> answer.getStatus().getNetwork());
    }

    @Override
    public void removeSandbox(String sandbox) throws RuntimeFailure {
        var what = "sandbox %s cannot be removed".formatted(sandbox);
        calls.askIfThere(
                what,
                Duration.ZERO,
                stub ->
                        stub.stopPodSandbox(
                                StopPodSandboxRequest.newBuilder()
                                        .setPodSandboxId(sandbox)
                                        .build()));
        calls.askIfThere(
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
        var what = "container %s cannot be made".formatted(spec.name());
        var status =
                calls.ask(
                        what,
                        stub ->
                                stub.podSandboxStatus(
                                        PodSandboxStatusRequest.newBuilder()
                                                .setPodSandboxId(sandbox)
                                                .build()));
        var of = CriRequests.kept(sandbox, status.getStatus().getAnnotationsMap());
        Image image =
                status(ImageSpec.newBuilder().setImage(spec.image()).build(), false).getImage();
        var context =
                security.context(
                        spec.security(),
                        of.getLinux().getSecurityContext().getNamespaceOptions(),
                        image);
        var config = CriRequests.container(spec, of, context);
        if (!spec.cdiDevices().isEmpty()) {
            prove(sandbox, of, config);
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
        return calls.ask(what, stub -> stub.createContainer(request)).getContainerId();
    }

    /// Has the runtime make the container with a device that does not exist, which must fail.
    private void prove(String sandbox, PodSandboxConfig of, ContainerConfig config)
            throws RuntimeFailure {
        if (isProven) {
            return;
        }
        var canary = config.toBuilder().clearCDIDevices();
        canary.getMetadataBuilder().setName("berth-canary");
        canary.addCDIDevicesBuilder().setName(CriPreflight.CANARY);
        String made;
        try {
            made = create("CDI cannot be tried", sandbox, of, canary.build());
        } catch (RuntimeFailure e) {
            if (String.valueOf(e.getMessage()).contains(CriPreflight.CANARY)) {
                isProven = true;
                return;
            }
            throw e;
        }
        removeContainer(made);
        throw new RuntimeFailure(CriPreflight.dropped(identity));
    }

    @Override
    public void startContainer(String container) throws RuntimeFailure {
        calls.ask(
                "container %s cannot be started".formatted(container),
                stub ->
                        stub.startContainer(
                                StartContainerRequest.newBuilder()
                                        .setContainerId(container)
                                        .build()));
    }

    @Override
    public void stopContainer(String container, Duration grace) throws RuntimeFailure {
        calls.askIfThere(
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
        calls.askIfThere(
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
        var nowEnded = new HashMap<String, Phase>();
        for (var container :
                calls.ask("containers cannot be listed", stub -> stub.listContainers(request))
                        .getContainersList()) {
            var phase = phase(container);
            if (phase.isPresent()) {
                states.add(CriStates.container(container, phase.get()));
                if (phase.get() instanceof Phase.Exited) {
                    nowEnded.put(container.getId(), phase.get());
                }
            }
        }
        ended = Map.copyOf(nowEnded);
        return states;
    }

    /// How far a container is; empty when it went while it was asked about.
    private Optional<Phase> phase(Container container) throws RuntimeFailure {
        var known = ended.get(container.getId());
        if (known != null) {
            return Optional.of(known);
        }
        var request = ContainerStatusRequest.newBuilder().setContainerId(container.getId()).build();
        return calls.find(
                        "container %s cannot be looked at".formatted(container.getId()),
                        stub -> stub.containerStatus(request))
                .map(answer -> CriStates.phase(answer.getStatus()));
    }

    @Override
    public void reopenLog(String container) throws RuntimeFailure {
        calls.ask(
                "the log of container %s cannot be opened anew".formatted(container),
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
        var answer =
                calls.ask(
                        "%s cannot be run to its end within %d s"
                                .formatted(command, seconds(timeout)),
                        timeout.plusSeconds(30),
                        stub -> stub.execSync(request));
        return new CommandResult(
                answer.getExitCode(),
                answer.getStdout().toStringUtf8(),
                answer.getStderr().toStringUtf8());
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
        var answer = calls.ask("%s cannot be run".formatted(command), stub -> stub.exec(request));
        return CriCommand.open(answer.getUrl(), hasTerminal);
    }

    /// Runtimes count in seconds, and take zero for none.
    private static long seconds(Duration duration) {
        return Math.max(0, duration.plusMillis(999).toSeconds());
    }

    @Override
    public void onChange(Runnable listener) {
        events.tell(listener);
    }

    @Override
    public void close() {
        events.close();
        calls.close();
    }
}
