package dev.berth.node.cri;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.harness.Eventually;
import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.api.meta.Uid;
import dev.berth.node.runtime.ContainerSpec;
import dev.berth.node.runtime.ContainerSpec.Limits;
import dev.berth.node.runtime.ContainerSpec.Security;
import dev.berth.node.runtime.ContainerState;
import dev.berth.node.runtime.ContainerState.Phase;
import dev.berth.node.runtime.EnvVariable;
import dev.berth.node.runtime.RuntimeFailure;
import dev.berth.node.runtime.SandboxSpec;
import dev.berth.node.runtime.SandboxSpec.Sharing;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Real containers, by the containerd of this machine.
class ContainerdTest {

    private Path home;

    @BeforeEach
    void prepare() throws Exception {
        Containerd.assumeRootAndRunc();
        // A socket's path must be short.
        home = Files.createTempDirectory(Path.of("/tmp"), "bc");
    }

    @AfterEach
    void clean() throws IOException {
        if (home == null) {
            return;
        }
        try (Stream<Path> files = Files.walk(home)) {
            for (var file : files.toList().reversed()) {
                Files.deleteIfExists(file);
            }
        }
    }

    private static Containerd.Program newest() {
        var found = Containerd.programs().stream().filter(one -> !one.isBefore(1, 7)).findFirst();
        Assumptions.assumeTrue(
                found.isPresent(),
                "there is no containerd 1.7 or newer; name its directory in BERTH_CONTAINERD");
        return found.orElseThrow();
    }

    @Test
    void anOldContainerdIsRefused() throws Exception {
        var old = Containerd.programs().stream().filter(one -> one.isBefore(1, 7)).findFirst();
        Assumptions.assumeTrue(
                old.isPresent(), "there is no containerd older than 1.7, as Debian 12 has it");

        try (var containerd = new Containerd(old.orElseThrow(), home, false)) {
            assertThatThrownBy(() -> CriRuntime.connect(containerd.socket()))
                    .isInstanceOf(RuntimeFailure.class)
                    .hasMessageStartingWith("containerd 1.6.")
                    .hasMessageContaining("does not support CDI: it would start containers without")
                    .hasMessageContaining("Install containerd 1.7 or newer");
        }
    }

    @Test
    void containerdWithCdiDisabledIsRefused() throws Exception {
        try (var containerd = new Containerd(newest(), home, false)) {
            assertThatThrownBy(() -> CriRuntime.connect(containerd.socket()))
                    .isInstanceOf(RuntimeFailure.class)
                    .hasMessageContaining("CDI is disabled")
                    .hasMessageContaining("enable_cdi = true");
        }
    }

    @Test
    void aPodRunsWithItsDevices() throws Exception {
        try (var containerd = new Containerd(newest(), home, true)) {
            containerd.importImage();
            Files.createDirectories(home.resolve("cdi"));
            Files.writeString(
                    home.resolve("cdi/thing.json"),
                    """
                    {"cdiVersion": "0.5.0", "kind": "berth.test/thing", "devices": [
                     {"name": "one", "containerEdits": {"env": ["THING=one"]}}]}
                    """);
            try (var runtime = CriRuntime.connect(containerd.socket())) {
                try {
                    runPod(runtime);
                } finally {
                    for (var sandbox : runtime.sandboxes()) {
                        runtime.removeSandbox(sandbox.id());
                    }
                }
                assertThat(runtime.sandboxes()).isEmpty();
                assertThat(runtime.containers()).isEmpty();
            }
        }
    }

    private void runPod(CriRuntime runtime) throws Exception {
        assertThat(runtime.identity().name()).isEqualTo("containerd");
        assertThat(runtime.image(Containerd.IMAGE).orElseThrow().entrypoint())
                .containsExactly("/bin/sleep");
        var sandbox = runtime.createSandbox(pod());
        assertThat(runtime.sandboxes()).singleElement().matches(one -> one.isReady());

        assertThatThrownBy(() ->
                        runtime.createContainer(
                                sandbox, container("wrong", "true", "berth.test/thing=two")))
                .isInstanceOf(RuntimeFailure.class)
                .hasMessageContaining("berth.test/thing=two");

        var short1 =
                runtime.createContainer(
                        sandbox,
                        container(
                                "short",
                                "echo thing is $THING; echo A is $A; exit 3",
                                "berth.test/thing=one"));
        runtime.startContainer(short1);
        var ended = (Phase.Exited) await(runtime, short1, Phase.Exited.class).phase();
        assertThat(ended.exitCode()).isEqualTo(3);
        assertThat(ended.reason()).isEqualTo("Error");
        assertThat(Files.readString(log("short")))
                .contains(" stdout F thing is one\n")
                .contains(" stdout F A is b\n");

        var longer = runtime.createContainer(sandbox, container("long", "sleep 1000000"));
        runtime.startContainer(longer);
        await(runtime, longer, Phase.Running.class);
        runCommands(runtime, longer);
        runtime.stopContainer(longer, Duration.ZERO);
        await(runtime, longer, Phase.Exited.class);
        runtime.removeContainer(longer);
        runtime.removeContainer(longer);
        assertThat(runtime.containers()).extracting(ContainerState::name).containsExactly("short");
        assertThat(log("long")).exists();
    }

    private static void runCommands(CriRuntime runtime, String container) throws Exception {
        var result =
                runtime.run(
                        container,
                        List.of("sh", "-c", "echo out; echo err >&2; exit 5"),
                        Duration.ofSeconds(60));
        assertThat(result.exitCode()).isEqualTo(5);
        assertThat(result.output()).isEqualTo("out\n");
        assertThat(result.errors()).isEqualTo("err\n");

        try (var session =
                runtime.open(
                        container, List.of("sh", "-c", "read x; echo got $x; exit 7"), false)) {
            session.input().write("hello\n".getBytes(StandardCharsets.UTF_8));
            assertThat(new String(session.output().readAllBytes(), StandardCharsets.UTF_8))
                    .isEqualTo("got hello\n");
            assertThat(session.exitCode()).isEqualTo(7);
        }
        try (var session = runtime.open(container, List.of("sort"), false)) {
            // It prints nothing before it has read all input.
            session.input().write("b\na\n".getBytes(StandardCharsets.UTF_8));
            session.input().close();
            assertThat(new String(session.output().readAllBytes(), StandardCharsets.UTF_8))
                    .isEqualTo("a\nb\n");
            assertThat(session.exitCode()).isZero();
        }
        // Without a size there is only an error, and an exit code of zero.
        var size = "while [ -z \"$(stty size 2>/dev/null)\" ]; do sleep 0.1; done; stty size";
        try (var session = runtime.open(container, List.of("sh", "-c", size), true)) {
            session.resize(90, 30);
            assertThat(new String(session.output().readAllBytes(), StandardCharsets.UTF_8))
                    .isEqualTo("30 90\r\n");
            assertThat(session.errors().readAllBytes()).isEmpty();
            assertThat(session.exitCode()).isZero();
        }
        try (var session = runtime.open(container, List.of("no-such-command"), false)) {
            assertThat(new String(session.errors().readAllBytes(), StandardCharsets.UTF_8))
                    .contains("no-such-command");
            assertThat(session.exitCode()).isEqualTo(126);
        }
    }

    private SandboxSpec pod() {
        return new SandboxSpec(
                new ObjectRef("default", "p"),
                new Uid("u-1"),
                0,
                "",
                new Sharing(true, false, false, false),
                home.resolve("logs"),
                List.of());
    }

    private Path log(String container) {
        return home.resolve("logs").resolve(container).resolve("0.log");
    }

    private ContainerSpec container(String name, String script, String... devices)
            throws IOException {
        Files.createDirectories(log(name).getParent());
        return new ContainerSpec(
                name,
                0,
                Containerd.IMAGE,
                List.of("/bin/sh", "-c", script),
                List.of(new EnvVariable("A", "b"), new EnvVariable("PATH", "/bin")),
                "/",
                List.of(),
                List.of(devices),
                Limits.NONE,
                Security.DEFAULT,
                false,
                false,
                log(name));
    }

    private static ContainerState await(
            CriRuntime runtime, String container, Class<? extends Phase> phase) throws Exception {
        var found = new ArrayList<ContainerState>();
        Eventually.holds(
                "a container is " + phase.getSimpleName(),
                () -> {
                    for (var state : runtime.containers()) {
                        if (state.id().equals(container) && phase.isInstance(state.phase())) {
                            found.add(state);
                        }
                    }
                    return !found.isEmpty();
                });
        return found.getFirst();
    }
}
