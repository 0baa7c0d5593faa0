package dev.berth.node.oci;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.harness.Eventually;
import dev.berth.node.image.ImageStore;
import dev.berth.node.runtime.ContainerState.Phase;
import dev.berth.node.runtime.RuntimeFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Lifecycle of real containers, from creation to removal.
class ContainerLifecycleTest {

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
    void aContainerIsCreatedThenRunsThenExits() throws Exception {
        var spec = rig.spec("echo hello; echo oops >&2; sleep 0.2; exit 3").build();
        var id = rig.runtime().createContainer(rig.sandbox(), spec);
        assertThat(rig.state(id).phase()).isEqualTo(new Phase.Created());
        rig.runtime().startContainer(id);
        assertThat(rig.state(id).phase()).isInstanceOf(Phase.Running.class);
        var exited = rig.ended(id);
        assertThat(exited.exitCode()).isEqualTo(3);
        assertThat(exited.reason()).isEqualTo("Error");
        assertThat(exited.finishedAt()).isAfter(exited.startedAt());
        assertThat(Files.readString(spec.log()))
                .containsPattern("(?m)^\\S+T\\S+ stdout F hello$")
                .containsPattern("(?m)^\\S+T\\S+ stderr F oops$");
    }

    @Test
    void exitCodeZeroIsCompleted() throws Exception {
        var exited = rig.ended(rig.start(rig.sandbox(), "true"));
        assertThat(exited.exitCode()).isZero();
        assertThat(exited.reason()).isEqualTo("Completed");
    }

    @Test
    void stopSendsTheStopSignalAndWaitsForTheGracePeriod() throws Exception {
        var id =
                rig.start(
                        rig.sandbox(),
                        "trap 'exit 7' TERM; echo ready; while :; do sleep 0.05; done");
        Eventually.holds(() -> size(id) > 0);
        rig.runtime().stopContainer(id, Duration.ofSeconds(30));
        assertThat(rig.ended(id).exitCode()).isEqualTo(7);
        rig.runtime().stopContainer(id, Duration.ofSeconds(30));
    }

    @Test
    void aContainerThatIgnoresTheStopSignalIsKilled() throws Exception {
        var id = rig.start(rig.sandbox(), "trap '' TERM; echo ready; while :; do sleep 0.05; done");
        Eventually.holds(() -> size(id) > 0);
        rig.runtime().stopContainer(id, Duration.ofMillis(200));
        assertThat(rig.ended(id).exitCode()).isEqualTo(137);
    }

    private long size(String id) {
        return rig.state(id).log().toFile().length();
    }

    @Test
    void aCreatedContainerCanBeStopped() throws Exception {
        var id = rig.runtime().createContainer(rig.sandbox(), rig.spec("true").build());
        rig.runtime().stopContainer(id, Duration.ofSeconds(30));
        assertThat(rig.ended(id).exitCode()).isEqualTo(137);
    }

    @Test
    void listenersAreNotifiedOfTheExit() throws Exception {
        var notified = new CountDownLatch(1);
        rig.runtime().onChange(notified::countDown);
        rig.start(rig.sandbox(), "true");
        assertThat(notified.await(1, TimeUnit.MINUTES)).isTrue();
    }

    @Test
    void anOutOfMemoryContainerIsOomKilled() throws Exception {
        var spec =
                rig.spec("exec dd if=/dev/zero of=/dev/null bs=200M count=1")
                        .memory(32 << 20)
                        .build();
        var exited = rig.ended(rig.start(rig.sandbox(), spec));
        assertThat(exited.reason()).isEqualTo("OOMKilled");
        assertThat(exited.exitCode()).isEqualTo(137);
    }

    @Test
    void aMissingProgramFailsTheCreationAndLeavesNothing() throws Exception {
        var sandbox = rig.sandbox();
        var spec = rig.spec("true").build();
        var broken = rig.spec("true").arguments("/no/such/program").build();
        assertThatThrownBy(() -> rig.runtime().createContainer(sandbox, broken))
                .isInstanceOf(RuntimeFailure.class)
                .hasMessageContaining("container main cannot be created")
                .hasMessageContaining("/no/such/program")
                .hasMessageNotContaining("level=error");
        assertThat(rig.runtime().containers()).isEmpty();
        assertThat(rig.ended(rig.start(sandbox, spec)).exitCode()).isZero();
    }

    @Test
    void aMissingImageIsReportedWithTheImportCommand() throws Exception {
        var sandbox = rig.sandbox();
        var spec = rig.spec("true").image("nginx:1").build();
        assertThatThrownBy(() -> rig.runtime().createContainer(sandbox, spec))
                .hasMessageStartingWith(
                        "image nginx:1 is not on this machine; import it with: berth image import"
                                + " FILE --name nginx:1 --root /");
        assertThat(rig.runtime().image("nginx:1")).isEmpty();
        assertThat(rig.runtime().image("busybox").orElseThrow().command()).containsExactly("sh");
    }

    @Test
    void anImageInUseStays() throws Exception {
        var images = rig.runtime().images();
        var id = rig.start(rig.sandbox(), "true");
        assertThat(images.remove("busybox")).isEqualTo(new ImageStore.Removal.InUse(1));
        rig.runtime().removeContainer(id);
        assertThat(images.remove("busybox")).isInstanceOf(ImageStore.Removal.Removed.class);
    }

    @Test
    void aContainerInARemovedSandboxIsRefused() throws Exception {
        var sandbox = rig.sandbox();
        rig.runtime().removeSandbox(sandbox);
        rig.runtime().removeSandbox(sandbox);
        var spec = rig.spec("true").build();
        assertThatThrownBy(() -> rig.runtime().createContainer(sandbox, spec))
                .hasMessage("sandbox %s does not exist; create another", sandbox);
    }

    @Test
    void itsLogStaysWhenItIsRemoved() throws Exception {
        var spec = rig.spec("echo kept").build();
        var id = rig.start(rig.sandbox(), spec);
        rig.ended(id);
        rig.runtime().removeContainer(id);
        rig.runtime().removeContainer(id);
        assertThat(rig.runtime().containers()).isEmpty();
        assertThat(RuntimeRig.log(spec.log())).isEqualTo("kept");
    }
}
