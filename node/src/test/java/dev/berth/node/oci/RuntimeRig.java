package dev.berth.node.oci;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.berth.harness.Eventually;
import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.api.meta.Uid;
import dev.berth.node.image.BusyboxImage;
import dev.berth.node.image.ImageRoot;
import dev.berth.node.image.ImageStore;
import dev.berth.node.runtime.ContainerSpec;
import dev.berth.node.runtime.ContainerState;
import dev.berth.node.runtime.ContainerState.Phase;
import dev.berth.node.runtime.EnvVariable;
import dev.berth.node.runtime.LogLimits;
import dev.berth.node.runtime.RuntimeFailure;
import dev.berth.node.runtime.SandboxSpec;
import dev.berth.node.runtime.SandboxSpec.Sharing;
import dev.berth.node.safepath.MountTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;

/// Fixture: a real runtime in a directory of its own, with an image of busybox.
final class RuntimeRig implements AutoCloseable {

    final Path root;
    final OciOptions settings;
    private OciRuntime runtime;
    private int pods;

    private RuntimeRig(Path root, OciOptions settings, OciRuntime runtime) {
        this.root = root;
        this.settings = settings;
        this.runtime = runtime;
    }

    /// Starts a runtime. The test is skipped on machines that cannot run containers.
    static RuntimeRig start() throws IOException, RuntimeFailure {
        return start(LogLimits.DEFAULT);
    }

    static RuntimeRig start(LogLimits logs) throws IOException, RuntimeFailure {
        assumeTrue(
                HostPrivileges.user().filter(uid -> uid == 0).isPresent(), "containers need root");
        assumeTrue(isInstalled("runc") && isInstalled("conmon"), "runc and conmon are missing");
        assumeTrue(BusyboxImage.isPossible(), "/bin/busybox is missing (busybox-static)");
        var root = Files.createTempDirectory("oci");
        var settings =
                new OciOptions(
                        root,
                        "berth-" + root.getFileName(),
                        range(root),
                        List.of(root.resolve("cdi")),
                        logs);
        var archive = BusyboxImage.write(root.resolve("busybox.tar"));
        new ImageStore(OciOptions.images(root), Clock.systemUTC())
                .add(archive, ImageStore.ImportRequest.NONE);
        return new RuntimeRig(root, settings, OciRuntime.start(settings, Clock.systemUTC()));
    }

    /// A range of its own, so that tests can run concurrently.
    private static PodAddresses range(Path root) {
        var number = root.hashCode();
        return PodAddresses.parse(
                "10.%d.%d.0/24".formatted(128 + (number & 63), (number >> 6) & 255));
    }

    private static boolean isInstalled(String program) {
        return List.of("/usr/sbin", "/usr/bin", "/usr/local/bin", "/usr/local/sbin").stream()
                .anyMatch(place -> Files.isExecutable(Path.of(place, program)));
    }

    OciRuntime runtime() {
        return runtime;
    }

    /// Replaces the runtime by a new one.
    void restart() throws RuntimeFailure {
        runtime.close();
        runtime = OciRuntime.start(settings, Clock.systemUTC());
    }

    String sandbox() throws RuntimeFailure {
        return sandbox("pod-" + pods, Sharing.DEFAULT);
    }

    String sandbox(String hostname, Sharing sharing) throws RuntimeFailure {
        pods++;
        return runtime.createSandbox(
                new SandboxSpec(
                        new ObjectRef("default", "pod-" + pods),
                        new Uid("uid-" + pods),
                        0,
                        hostname,
                        sharing,
                        root.resolve("logs"),
                        List.of()));
    }

    /// A container that runs a script.
    String start(String sandbox, String script) throws RuntimeFailure {
        return start(sandbox, spec(script).build());
    }

    String start(String sandbox, ContainerSpec spec) throws RuntimeFailure {
        var id = runtime.createContainer(sandbox, spec);
        runtime.startContainer(id);
        return id;
    }

    SpecBuilder spec(String script) {
        return new SpecBuilder(script, root.resolve("logs"));
    }

    /// Runs a script in a new container to its end and returns its output.
    String printed(String sandbox, ContainerSpec spec)
            throws RuntimeFailure, IOException, InterruptedException {
        ended(start(sandbox, spec));
        return log(spec.log());
    }

    static String log(Path file) throws IOException {
        var lines = new ArrayList<String>();
        for (var line : Files.readAllLines(file)) {
            lines.add(line.split(" ", 4)[3]);
        }
        return String.join("\n", lines);
    }

    ContainerState state(String id) {
        return runtime.containers().stream()
                .filter(one -> one.id().equals(id))
                .findFirst()
                .orElseThrow();
    }

    Phase.Exited ended(String id) throws InterruptedException {
        Eventually.holds(() -> state(id).phase() instanceof Phase.Exited);
        return (Phase.Exited) state(id).phase();
    }

    static EnvVariable path() {
        return new EnvVariable("PATH", "/bin");
    }

    @Override
    public void close() throws RuntimeFailure, IOException {
        for (var sandbox : runtime.sandboxes()) {
            runtime.removeSandbox(sandbox.id());
        }
        runtime.close();
        if (MountTable.read().below(root).isEmpty()) {
            ImageRoot.delete(root);
        }
    }
}
