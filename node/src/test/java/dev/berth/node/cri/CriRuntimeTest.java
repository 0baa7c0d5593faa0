package dev.berth.node.cri;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.api.meta.Uid;
import dev.berth.node.runtime.CommandResult;
import dev.berth.node.runtime.Confinement;
import dev.berth.node.runtime.Confinement.SeLinuxOptions;
import dev.berth.node.runtime.ContainerSpec;
import dev.berth.node.runtime.ContainerSpec.Limits;
import dev.berth.node.runtime.ContainerSpec.Security;
import dev.berth.node.runtime.ContainerState.Phase;
import dev.berth.node.runtime.EnvVariable;
import dev.berth.node.runtime.ImageConfig;
import dev.berth.node.runtime.RuntimeFailure;
import dev.berth.node.runtime.SandboxSpec;
import dev.berth.node.runtime.SandboxSpec.Sharing;
import dev.berth.node.runtime.SecurityProfile;
import dev.berth.wire.cri.CDIDevice;
import dev.berth.wire.cri.ContainerState;
import dev.berth.wire.cri.ContainerStatus;
import dev.berth.wire.cri.Image;
import dev.berth.wire.cri.NamespaceMode;
import dev.berth.wire.cri.NamespaceOption;
import dev.berth.wire.cri.SecurityProfile.ProfileType;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Requests to a CRI runtime, and conversion of its responses.
class CriRuntimeTest {

    private static final Path LOGS = Path.of("/logs/default_p_u-1");
    private static final SandboxSpec POD =
            new SandboxSpec(
                    new ObjectRef("default", "p"),
                    new Uid("u-1"),
                    2,
                    "host",
                    new Sharing(true, false, false, true),
                    LOGS,
                    List.of(new EnvVariable("net.core.somaxconn", "7")));

    @TempDir Path directory;
    private Path socket;
    private FakeCri fake;

    @BeforeEach
    void start() throws Exception {
        socket = directory.resolve("cri.sock");
        fake = new FakeCri(socket);
    }

    @AfterEach
    void stop() {
        fake.close();
    }

    private static ContainerSpec container(String image, Security security, String... devices) {
        return new ContainerSpec(
                "main",
                3,
                image,
                List.of("/bin/run", "-v"),
                List.of(new EnvVariable("A", "b")),
                "/srv",
                List.of(new ContainerSpec.Mount(Path.of("/host"), "/there", true)),
                List.of(devices),
                new Limits(
                        OptionalLong.of(512),
                        OptionalLong.of(50_000),
                        OptionalLong.of(1 << 20),
                        "0-1",
                        900),
                security,
                false,
                true,
                LOGS.resolve("main/3.log"));
    }

    @Test
    void aSandboxIsCreatedAndListed() throws Exception {
        try (var runtime = CriRuntime.connect(socket)) {
            var id = runtime.createSandbox(POD);

            var config = Objects.requireNonNull(fake.sandboxes.get(id));
            assertThat(config.getMetadata().getUid()).isEqualTo("u-1");
            assertThat(config.getLogDirectory()).isEqualTo(LOGS.toString());
            assertThat(config.getLinux().getSysctlsMap()).containsEntry("net.core.somaxconn", "7");
            var namespaces = config.getLinux().getSecurityContext().getNamespaceOptions();
            assertThat(namespaces.getNetwork()).isEqualTo(NamespaceMode.NODE);
            assertThat(namespaces.getPid()).isEqualTo(NamespaceMode.POD);
            assertThat(namespaces.getIpc()).isEqualTo(NamespaceMode.POD);
            var state = runtime.sandboxes().getFirst();
            assertThat(state.pod()).isEqualTo(POD.pod());
            assertThat(state.attempt()).isEqualTo(2);
            assertThat(state.isReady()).isTrue();
            assertThat(state.addresses()).containsExactly("10.1.2.3");
            assertThat(state.createdAt()).isEqualTo(Instant.ofEpochMilli(1500));
        }
    }

    @Test
    void aContainerIsCreatedWithItsCdiDevices() throws Exception {
        try (var runtime = CriRuntime.connect(socket)) {
            var sandbox = runtime.createSandbox(POD);
            runtime.createContainer(
                    sandbox,
                    container(
                            "near", Security.DEFAULT, "vendor.com/thing=one", "vendor.com/net=x"));

            var request = fake.made.getFirst();
            var config = request.getConfig();
            assertThat(request.getSandboxConfig().getMetadata().getName()).isEqualTo("p");
            assertThat(config.getCDIDevicesList())
                    .extracting(CDIDevice::getName)
                    .containsExactly("vendor.com/thing=one", "vendor.com/net=x");
            assertThat(config.getCommandList()).containsExactly("/bin/run", "-v");
            assertThat(config.getLogPath()).isEqualTo("main/3.log");
            assertThat(config.getMounts(0).getReadonly()).isTrue();
            assertThat(config.getEnvs(0).getValue()).isEqualTo("b");
            var resources = config.getLinux().getResources();
            assertThat(resources.getCpuPeriod()).isEqualTo(100_000);
            assertThat(resources.getCpuQuota()).isEqualTo(50_000);
            assertThat(resources.getCpusetCpus()).isEqualTo("0-1");
            assertThat(resources.getMemoryLimitInBytes()).isEqualTo(1 << 20);
            var security = config.getLinux().getSecurityContext();
            assertThat(security.getRunAsUsername()).isEqualTo("web");
            assertThat(security.getNoNewPrivs()).isFalse();
            assertThat(security.getNamespaceOptions().getNetwork()).isEqualTo(NamespaceMode.NODE);
        }
    }

    @Test
    void aContainerRunsAsTheUserOfItsSecurityContext() throws Exception {
        try (var runtime = CriRuntime.connect(socket)) {
            var sandbox = runtime.createSandbox(POD);
            var security =
                    new Security(
                            Optional.of("1000"),
                            OptionalLong.of(2000),
                            List.of(3000L),
                            false,
                            true,
                            false,
                            List.of("NET_ADMIN"),
                            List.of("ALL"));

            runtime.createContainer(sandbox, container("near", security));

            var request = fake.made.getFirst().getConfig().getLinux().getSecurityContext();
            assertThat(request.getRunAsUser().getValue()).isEqualTo(1000);
            assertThat(request.getRunAsGroup().getValue()).isEqualTo(2000);
            assertThat(request.getSupplementalGroupsList()).containsExactly(3000L);
            assertThat(request.getNoNewPrivs()).isTrue();
            assertThat(request.getReadonlyRootfs()).isTrue();
            assertThat(request.getCapabilities().getAddCapabilitiesList())
                    .containsExactly("NET_ADMIN");
            assertThat(request.getCapabilities().getDropCapabilitiesList()).containsExactly("ALL");
        }
    }

    @Test
    void profilesAndMaskedPathsAreSentToTheRuntime() throws Exception {
        try (var runtime = CriRuntime.connect(socket)) {
            var sandbox = runtime.createSandbox(POD);
            runtime.createContainer(sandbox, container("near", Security.DEFAULT));
            runtime.createContainer(
                    sandbox,
                    container(
                            "near",
                            confined(
                                    false,
                                    new Confinement(
                                            new SecurityProfile.Localhost("/node/seccomp/a.json"),
                                            Optional.of(SecurityProfile.RUNTIME_DEFAULT),
                                            SeLinuxOptions.NONE))));

            var plain = fake.made.getFirst().getConfig().getLinux().getSecurityContext();
            assertThat(plain.getSeccomp().getProfileType()).isEqualTo(ProfileType.Unconfined);
            assertThat(plain.hasApparmor()).isFalse();
            assertThat(plain.getMaskedPathsList()).contains("/proc/kcore", "/sys/firmware");
            assertThat(plain.getReadonlyPathsList()).contains("/proc/sysrq-trigger");
            var request = fake.made.getLast().getConfig().getLinux().getSecurityContext();
            assertThat(request.getSeccomp().getProfileType()).isEqualTo(ProfileType.Localhost);
            assertThat(request.getSeccomp().getLocalhostRef()).isEqualTo("/node/seccomp/a.json");
            assertThat(request.getApparmor().getProfileType())
                    .isEqualTo(ProfileType.RuntimeDefault);
        }
    }

    @Test
    void optionsThatTheRuntimeWouldIgnoreAreRefused() throws Exception {
        try (var runtime = CriRuntime.connect(socket)) {
            var sandbox = runtime.createSandbox(POD);
            var strict = container("near", confined(true, Confinement.NONE));
            assertThatThrownBy(() -> runtime.createContainer(sandbox, strict))
                    .hasMessageContaining("supplementalGroupsPolicy: Strict is not supported");
        }
        var labelled =
                confined(
                        false,
                        new Confinement(
                                SecurityProfile.UNCONFINED,
                                Optional.empty(),
                                new SeLinuxOptions("", "", "t", "")));
        var without = new CriSecurity(true, directory.resolve("absent"));
        assertThatThrownBy(() ->
                        without.context(
                                labelled,
                                NamespaceOption.getDefaultInstance(),
                                Image.getDefaultInstance()))
                .hasMessageContaining("SELinux is not enabled on this node");
        var with = new CriSecurity(true, directory);
        assertThat(
                        with.context(
                                        labelled,
                                        NamespaceOption.getDefaultInstance(),
                                        Image.getDefaultInstance())
                                .getSelinuxOptions()
                                .getType())
                .isEqualTo("t");
    }

    private static Security confined(boolean hasStrictGroups, Confinement confinement) {
        return new Security(
                Optional.empty(),
                OptionalLong.empty(),
                List.of(),
                hasStrictGroups,
                false,
                false,
                true,
                List.of(),
                List.of(),
                confinement);
    }

    @Test
    void aLogIsReopenedByTheRuntime() throws Exception {
        try (var runtime = CriRuntime.connect(socket)) {
            runtime.reopenLog("c-1");
            assertThat(fake.reopened).containsExactly("c-1");
        }
    }

    @Test
    void containersAreListedWithTheirPhases() throws Exception {
        try (var runtime = CriRuntime.connect(socket)) {
            var sandbox = runtime.createSandbox(POD);
            var id = runtime.createContainer(sandbox, container("near", Security.DEFAULT));
            assertThat(runtime.containers().getFirst().phase()).isEqualTo(new Phase.Created());

            fake.statuses.put(
                    id,
                    ContainerStatus.newBuilder()
                            .setState(ContainerState.CONTAINER_EXITED)
                            .setStartedAt(1_000_000_000L)
                            .setFinishedAt(2_000_000_000L)
                            .setExitCode(137)
                            .setReason("OOMKilled")
                            .build());

            var state = runtime.containers().getFirst();
            assertThat(state.pod()).isEqualTo(new Uid("u-1"));
            assertThat(state.attempt()).isEqualTo(3);
            assertThat(state.log()).isEqualTo(LOGS.resolve("main/3.log"));
            assertThat(state.phase())
                    .isEqualTo(
                            new Phase.Exited(
                                    Instant.ofEpochSecond(1),
                                    Instant.ofEpochSecond(2),
                                    137,
                                    "OOMKilled",
                                    ""));
        }
    }

    @Test
    void aMissingImageIsPulled() throws Exception {
        try (var runtime = CriRuntime.connect(socket)) {
            assertThat(runtime.image("far"))
                    .contains(
                            new ImageConfig(
                                    "sha256:1",
                                    List.of("/bin/run"),
                                    List.of("-v"),
                                    List.of(
                                            new EnvVariable("PATH", "/bin"),
                                            new EnvVariable("EMPTY", "")),
                                    "/srv",
                                    "web"));
            assertThat(runtime.image("near")).isPresent();
            assertThat(fake.pulled).containsExactly("far");
        }
    }

    @Test
    void commandsRunToCompletion() throws Exception {
        try (var runtime = CriRuntime.connect(socket)) {
            assertThat(runtime.run("c", List.of("a", "b"), Duration.ofMillis(1500)))
                    .isEqualTo(new CommandResult(2, "[a, b]", ""));
        }
    }

    @Test
    void removalOfMissingObjectsSucceeds() throws Exception {
        try (var runtime = CriRuntime.connect(socket)) {
            runtime.stopContainer("nobody", Duration.ofSeconds(1));
        }
        assertThat(fake.made).isEmpty();
    }

    @Test
    void aRuntimeThatIgnoresCdiDevicesIsDetectedByATestContainer() throws Exception {
        fake.passesOverDevices = true;
        try (var runtime = CriRuntime.connect(socket)) {
            var sandbox = runtime.createSandbox(POD);

            assertThatThrownBy(() ->
                            runtime.createContainer(
                                    sandbox,
                                    container("near", Security.DEFAULT, "vendor.com/thing=one")))
                    .isInstanceOf(RuntimeFailure.class)
                    .hasMessageContaining("cri-o://1.33.0 ignores CDI devices");
            assertThat(fake.containers).isEmpty();
            assertThat(runtime.createContainer(sandbox, container("near", Security.DEFAULT)))
                    .isNotEmpty();
        }
    }

    @Test
    void anOldContainerdIsRefused() {
        fake.name = "containerd";
        fake.version = "1.6.20~ds1";

        assertThatThrownBy(() -> CriRuntime.connect(socket))
                .isInstanceOf(RuntimeFailure.class)
                .hasMessageContaining("containerd 1.6.20~ds1 does not support CDI")
                .hasMessageContaining("Install containerd 1.7 or newer");
    }

    @Test
    void containerdWithCdiDisabledIsRefusedWithTheSettingToChange() {
        fake.name = "containerd";
        fake.version = "v1.7.24";
        fake.info = Map.of("config", "{\"enableCDI\": false}");

        assertThatThrownBy(() -> CriRuntime.connect(socket))
                .hasMessageContaining("Set enable_cdi = true")
                .hasMessageContaining("io.containerd.grpc.v1.cri");
    }

    @Test
    void aMissingRuntimeIsReported() {
        assertThatThrownBy(() -> CriRuntime.connect(directory.resolve("none.sock")))
                .isInstanceOf(RuntimeFailure.class)
                .hasMessageContaining(
                        "no container runtime responds at " + directory.resolve("none.sock"));
    }
}
