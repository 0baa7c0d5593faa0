package dev.berth.node.cri;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.berth.node.runtime.ContainerSpec;
import dev.berth.node.runtime.EnvVariable;
import dev.berth.node.runtime.RuntimeFailure;
import dev.berth.node.runtime.SandboxSpec;
import dev.berth.wire.cri.CDIDevice;
import dev.berth.wire.cri.ContainerConfig;
import dev.berth.wire.cri.ContainerMetadata;
import dev.berth.wire.cri.ImageSpec;
import dev.berth.wire.cri.KeyValue;
import dev.berth.wire.cri.LinuxContainerConfig;
import dev.berth.wire.cri.LinuxContainerResources;
import dev.berth.wire.cri.LinuxContainerSecurityContext;
import dev.berth.wire.cri.LinuxPodSandboxConfig;
import dev.berth.wire.cri.LinuxSandboxSecurityContext;
import dev.berth.wire.cri.Mount;
import dev.berth.wire.cri.NamespaceMode;
import dev.berth.wire.cri.NamespaceOption;
import dev.berth.wire.cri.PodSandboxConfig;
import dev.berth.wire.cri.PodSandboxMetadata;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Map;
import java.util.stream.Collectors;

/// Builds CRI requests from sandbox and container specs.
final class CriRequests {

    private static final long CPU_PERIOD_MICROS = 100_000;

    private CriRequests() {}

    static PodSandboxConfig sandbox(SandboxSpec spec) {
        var config =
                PodSandboxConfig.newBuilder()
                        .setMetadata(
                                PodSandboxMetadata.newBuilder()
                                        .setName(spec.pod().name())
                                        .setNamespace(spec.pod().namespace())
                                        .setUid(spec.uid().value())
                                        .setAttempt(spec.attempt()))
                        .setHostname(spec.hostname())
                        .setLogDirectory(spec.logDirectory().toString())
                        .putAllLabels(labels(spec))
                        .setLinux(
                                LinuxPodSandboxConfig.newBuilder()
                                        .setSecurityContext(
                                                LinuxSandboxSecurityContext.newBuilder()
                                                        .setNamespaceOptions(
                                                                namespaces(spec.sharing()))
                                                        .setPrivileged(spec.hasPrivileged()))
                                        .putAllSysctls(values(spec)))
                        .build();
        var encoded = Base64.getEncoder().encodeToString(config.toByteArray());
        return config.toBuilder().putAnnotations(CriLabels.SANDBOX_CONFIG, encoded).build();
    }

    private static Map<String, String> labels(SandboxSpec spec) {
        return Map.of(
                CriLabels.OURS, CriLabels.YES,
                CriLabels.POD_NAME, spec.pod().name(),
                CriLabels.POD_NAMESPACE, spec.pod().namespace(),
                CriLabels.POD_UID, spec.uid().value());
    }

    private static Map<String, String> values(SandboxSpec spec) {
        return spec.sysctls().stream()
                .collect(
                        Collectors.toMap(EnvVariable::name, EnvVariable::value, (_, last) -> last));
    }

    private static NamespaceOption namespaces(SandboxSpec.Sharing sharing) {
        var processes = sharing.processes() ? NamespaceMode.POD : NamespaceMode.CONTAINER;
        return NamespaceOption.newBuilder()
                .setNetwork(sharing.hostNetwork() ? NamespaceMode.NODE : NamespaceMode.POD)
                .setPid(sharing.hostProcesses() ? NamespaceMode.NODE : processes)
                .setIpc(sharing.hostIpc() ? NamespaceMode.NODE : NamespaceMode.POD)
                .build();
    }

    /// The configuration that a sandbox was created with, from its annotations.
    static PodSandboxConfig decode(String sandbox, Map<String, String> annotations)
            throws RuntimeFailure {
        try {
            var text = annotations.getOrDefault(CriLabels.SANDBOX_CONFIG, "");
            var config = PodSandboxConfig.parseFrom(Base64.getDecoder().decode(text));
            if (config.hasMetadata()) {
                return config;
            }
        } catch (InvalidProtocolBufferException | IllegalArgumentException _) {
            // Reported below.
        }
        throw new RuntimeFailure(
                "sandbox %s lacks its configuration; delete its pod to get a new one"
                        .formatted(sandbox));
    }

    static ContainerConfig container(
            ContainerSpec spec, PodSandboxConfig sandbox, LinuxContainerSecurityContext security)
            throws RuntimeFailure {
        var config =
                ContainerConfig.newBuilder()
                        .setMetadata(
                                ContainerMetadata.newBuilder()
                                        .setName(spec.name())
                                        .setAttempt(spec.attempt()))
                        .setImage(ImageSpec.newBuilder().setImage(spec.image()))
                        .addAllCommand(spec.arguments())
                        .setWorkingDir(spec.workingDirectory())
                        .putAllLabels(sandbox.getLabelsMap())
                        .putLabels(CriLabels.CONTAINER_NAME, spec.name())
                        .putAnnotations(CriLabels.LOG, spec.log().toString())
                        .setLogPath(logPath(spec, sandbox))
                        .setStdin(spec.hasInput())
                        .setTty(spec.hasTerminal())
                        .setLinux(
                                LinuxContainerConfig.newBuilder()
                                        .setResources(resources(spec.limits()))
                                        .setSecurityContext(security));
        for (var variable : spec.env()) {
            config.addEnvs(
                    KeyValue.newBuilder().setKey(variable.name()).setValue(variable.value()));
        }
        for (var mount : spec.mounts()) {
            config.addMounts(
                    Mount.newBuilder()
                            .setHostPath(mount.host().toString())
                            .setContainerPath(mount.container())
                            .setReadonly(mount.isReadOnly()));
        }
        for (var device : spec.cdiDevices()) {
            config.addCDIDevices(CDIDevice.newBuilder().setName(device));
        }
        return config.build();
    }

    /// The log path relative to the sandbox's log directory.
    private static String logPath(ContainerSpec spec, PodSandboxConfig sandbox)
            throws RuntimeFailure {
        var directory = Path.of(sandbox.getLogDirectory());
        if (!spec.log().startsWith(directory)) {
            throw new RuntimeFailure(
                    "the log %s of container %s is not below %s, the directory of its pod"
                            .formatted(spec.log(), spec.name(), directory));
        }
        return directory.relativize(spec.log()).toString();
    }

    private static LinuxContainerResources resources(ContainerSpec.Limits limits) {
        var resources =
                LinuxContainerResources.newBuilder()
                        .setCpusetCpus(limits.cpus())
                        .setOomScoreAdj(limits.oomScoreAdjustment());
        limits.cpuShares().ifPresent(resources::setCpuShares);
        limits.cpuQuotaMicros()
                .ifPresent(quota -> resources.setCpuPeriod(CPU_PERIOD_MICROS).setCpuQuota(quota));
        limits.memoryBytes().ifPresent(resources::setMemoryLimitInBytes);
        return resources.build();
    }
}
