package dev.berth.node.cri;

import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.api.meta.Uid;
import dev.berth.node.runtime.ContainerState;
import dev.berth.node.runtime.ContainerState.Phase;
import dev.berth.node.runtime.SandboxState;
import dev.berth.wire.cri.Container;
import dev.berth.wire.cri.ContainerStatus;
import dev.berth.wire.cri.PodSandbox;
import dev.berth.wire.cri.PodSandboxNetworkStatus;
import dev.berth.wire.cri.PodSandboxState;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/// Converts sandbox and container states of CRI.
final class CriStates {

    private static final long NANOS = 1_000_000_000;

    /// Exit code of a container that the runtime has lost, as in the kubelet.
    private static final int LOST_EXIT_CODE = 137;

    private CriStates() {}

    static SandboxState sandbox(PodSandbox sandbox, PodSandboxNetworkStatus network) {
        var metadata = sandbox.getMetadata();
        return new SandboxState(
                sandbox.getId(),
                new ObjectRef(metadata.getNamespace(), metadata.getName()),
                new Uid(metadata.getUid()),
                metadata.getAttempt(),
                sandbox.getState() == PodSandboxState.SANDBOX_READY,
                time(sandbox.getCreatedAt()),
                addresses(network));
    }

    private static List<String> addresses(PodSandboxNetworkStatus network) {
        var addresses = new ArrayList<String>();
        if (!network.getIp().isEmpty()) {
            addresses.add(network.getIp());
        }
        network.getAdditionalIpsList().forEach(one -> addresses.add(one.getIp()));
        return addresses;
    }

    static ContainerState container(Container container, Phase phase) {
        return new ContainerState(
                container.getId(),
                container.getPodSandboxId(),
                new Uid(container.getLabelsOrDefault(CriLabels.POD_UID, "")),
                container.getMetadata().getName(),
                container.getMetadata().getAttempt(),
                phase,
                time(container.getCreatedAt()),
                container.getImageRef(),
                Path.of(container.getAnnotationsOrDefault(CriLabels.LOG, "")));
    }

    static Phase phase(ContainerStatus status) {
        return switch (status.getState()) {
            case CONTAINER_CREATED -> new Phase.Created();
            case CONTAINER_RUNNING -> new Phase.Running(time(status.getStartedAt()));
            case CONTAINER_EXITED -> exited(status, status.getExitCode(), reason(status));
            case CONTAINER_UNKNOWN, UNRECOGNIZED ->
                    exited(status, LOST_EXIT_CODE, "ContainerStatusUnknown");
        };
    }

    private static Phase exited(ContainerStatus status, int exitCode, String reason) {
        return new Phase.Exited(
                time(status.getStartedAt()),
                time(status.getFinishedAt()),
                exitCode,
                reason,
                status.getMessage());
    }

    private static String reason(ContainerStatus status) {
        if (!status.getReason().isEmpty()) {
            return status.getReason();
        }
        return status.getExitCode() == 0 ? "Completed" : "Error";
    }

    private static Instant time(long nanos) {
        return Instant.ofEpochSecond(nanos / NANOS, nanos % NANOS);
    }
}
