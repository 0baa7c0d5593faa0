package dev.berth.node.oci;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.harness.Eventually;
import dev.berth.model.api.meta.Uid;
import dev.berth.model.json.JsonWriter;
import dev.berth.node.runtime.ContainerState.Phase;
import dev.berth.node.runtime.RuntimeFailure;
import dev.berth.node.runtime.SandboxSpec.Sharing;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Recovery of a restarted runtime.
class RuntimeRestartTest {

    private RuntimeRig rig;

    @BeforeEach
    void start() throws IOException, RuntimeFailure {
        rig = RuntimeRig.start();
    }

    @AfterEach
    void stop() throws IOException, RuntimeFailure {
        if (rig != null) {
            rig.close();
        }
    }

    @Test
    void aRestartedRuntimeFindsEverything() throws Exception {
        var sandbox = rig.sandbox("pod", new Sharing(false, false, false, true));
        var running = rig.start(sandbox, "trap 'exit 5' TERM; while :; do sleep 0.05; done");
        var ended = rig.start(sandbox, "exit 9");
        var created = rig.runtime().createContainer(sandbox, rig.spec("true").build());
        var exit = rig.ended(ended);
        var before = rig.runtime().containers();
        var pods = rig.runtime().sandboxes();
        rig.restart();
        assertThat(rig.runtime().containers()).isEqualTo(before);
        assertThat(rig.runtime().sandboxes()).isEqualTo(pods);
        assertThat(pods.getFirst().isReady()).isTrue();
        assertThat(rig.state(ended).phase()).isEqualTo(exit);
        rig.runtime().startContainer(created);
        assertThat(rig.ended(created).exitCode()).isZero();
        rig.runtime().stopContainer(running, Duration.ofSeconds(30));
        assertThat(rig.ended(running).exitCode()).isEqualTo(5);
    }

    @Test
    void exitsWithoutARuntimeAreKnownToTheNext() throws Exception {
        var sandbox = rig.sandbox();
        var spec = rig.spec("until test -e /go/now; do sleep 0.02; done; echo bye; exit 8");
        var id = rig.start(sandbox, spec.mount(rig.root, "/go", true).build());
        var log = rig.state(id).log();
        rig.runtime().close();
        Files.writeString(rig.root.resolve("now"), "");
        Eventually.holds(() -> log.toFile().length() > 0);
        rig.restart();
        assertThat(rig.ended(id).exitCode()).isEqualTo(8);
    }

    @Test
    void twoRuntimesDoNotWorkInOneDirectory() {
        assertThatThrownBy(() -> OciRuntime.start(rig.settings, Clock.systemUTC()))
                .hasMessageContaining("another runtime uses " + rig.root);
    }

    @Test
    void afterARebootAllContainersHaveExited() throws Exception {
        var sandbox = rig.sandbox();
        var id = rig.start(sandbox, "sleep 1000");
        rig.runtime().close();
        pretend(Path.of("sandboxes", sandbox + ".json"));
        pretend(Path.of("containers", id + ".json"));
        rig.restart();
        assertThat(rig.runtime().sandboxes().getFirst().isReady()).isFalse();
        assertThat(rig.ended(id).reason()).isEqualTo("Unknown");
        assertThat(rig.ended(id).exitCode()).isEqualTo(255);
        assertThat(rig.ended(id).message()).contains("the machine was rebooted");
    }

    /// Makes a record look like one of an earlier boot.
    private void pretend(Path record) throws IOException {
        var file = rig.settings.state().resolve(record);
        var text = Files.readString(file);
        Files.writeString(file, text.replaceAll("\"boot\": \"[^\"]*\"", "\"boot\": \"earlier\""));
    }

    @Test
    void anUnrecordedExitIsUnknown() throws Exception {
        var id = rig.start(rig.sandbox(), "sleep 1000");
        var bundle = rig.settings.state().resolve("containers").resolve(id);
        ProcessIdentity.in(bundle.resolve("conmon.pid")).orElseThrow().kill();
        assertThat(rig.state(id).phase()).isInstanceOf(Phase.Running.class);
        rig.runtime().stopContainer(id, Duration.ZERO);
        assertThat(rig.ended(id).message()).contains("its monitor (conmon) was killed");
    }

    @Test
    void partlyCreatedObjectsAreRemoved() throws Exception {
        var sandbox = rig.sandbox();
        var ready = rig.start(sandbox, "sleep 1000");
        rig.runtime().close();
        var partlyCreated = unfinishedContainer(sandbox);
        unmakeSandbox();
        rig.restart();
        assertThat(rig.runtime().containers().stream().map(one -> one.id()).toList())
                .isEqualTo(List.of(ready));
        assertThat(rig.runtime().sandboxes().stream().map(one -> one.id()).toList())
                .isEqualTo(List.of(sandbox));
        assertThat(rig.settings.state().resolve("containers").resolve(partlyCreated))
                .doesNotExist();
    }

    private String unfinishedContainer(String sandbox) throws IOException {
        var record =
                new ContainerRecord(
                        "feedfeedfeedfeed",
                        sandbox,
                        new Uid("uid-1"),
                        "half",
                        0,
                        ContainerRecord.Stage.MAKING,
                        HostPrivileges.read().boot(),
                        Clock.systemUTC().instant(),
                        "sha256:0",
                        rig.root.resolve("half.log"),
                        "SIGTERM",
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty());
        var directory = rig.settings.state().resolve("containers");
        Files.createDirectories(directory.resolve(record.id()).resolve("rootfs/bin"));
        Files.writeString(
                directory.resolve(record.id() + ".json"), JsonWriter.pretty(record.tree()));
        return record.id();
    }

    /// A sandbox whose runtime was killed before it had a link.
    private void unmakeSandbox() throws IOException {
        var directory = rig.settings.state().resolve("sandboxes");
        Files.createDirectories(directory.resolve("deaddeaddeaddead/ns"));
        Files.writeString(
                directory.resolve("deaddeaddeaddead.json"),
                """
                {"id": "deaddeaddeaddead", "namespace": "default", "name": "p", "uid": "u",
                 "stage": "MAKING", "boot": "x", "createdAt": "2026-01-01T00:00:00Z"}
                """);
    }

    @Test
    void aDamagedRecordAffectsNoOther() throws Exception {
        var sandbox = rig.sandbox();
        rig.runtime().close();
        Files.writeString(rig.settings.state().resolve("sandboxes/broken.json"), "{");
        rig.restart();
        assertThat(rig.runtime().sandboxes().stream().map(one -> one.id()).toList())
                .isEqualTo(List.of(sandbox));
    }
}
