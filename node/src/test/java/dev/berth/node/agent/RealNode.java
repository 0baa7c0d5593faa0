package dev.berth.node.agent;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.berth.harness.Eventually;
import dev.berth.model.json.JsonObject;
import dev.berth.node.image.BusyboxImage;
import dev.berth.node.image.ImageStore;
import dev.berth.node.oci.OciOptions;
import dev.berth.node.oci.OciRuntime;
import dev.berth.node.oci.PodAddresses;
import dev.berth.node.runtime.RuntimeFailure;
import dev.berth.node.safepath.BindMounts;
import dev.berth.node.safepath.MountTable;
import dev.berth.node.safepath.SafeDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;

/// Fixture: an API server, an agent and real containers. The node's directory is open to all users
/// before the agent starts, as `mkdir` creates it.
final class RealNode implements AutoCloseable {

    private static final String OPEN = "rwxr-xr-x";

    final Path directory;
    final AgentRig rig;
    private final OciOptions settings;
    private OciRuntime runtime;
    private NodeAgent agent;

    private RealNode(Path directory) throws Exception {
        this.directory = directory;
        this.rig = new AgentRig(directory);
        this.settings =
                new OciOptions(
                        rig.root,
                        "berth-" + directory.getFileName(),
                        PodAddresses.parse("10.190.0.0/16"),
                        List.of(directory.resolve("cdi")));
        open(directory);
        open(Files.createDirectories(rig.root));
        new ImageStore(OciOptions.images(rig.root), Clock.systemUTC())
                .add(
                        BusyboxImage.write(directory.resolve("busybox.tar")),
                        ImageStore.ImportRequest.NONE);
        open(OciOptions.images(rig.root));
        this.runtime = OciRuntime.start(settings, Clock.systemUTC());
        this.agent = NodeAgent.start(rig.options(), rig.cluster, runtime);
    }

    /// Starts a node. The test is skipped on machines that cannot run containers.
    static RealNode start() throws Exception {
        assumeTrue(System.getProperty("user.name").equals("root"), "containers need root");
        assumeTrue(
                Files.exists(Path.of("/usr/sbin/runc")) && Files.exists(Path.of("/usr/bin/conmon")),
                "runc and conmon are missing: apt-get install runc conmon");
        assumeTrue(BusyboxImage.isPossible(), "/bin/busybox is missing (busybox-static)");
        return new RealNode(Files.createTempDirectory("rn"));
    }

    private static void open(Path directory) throws IOException {
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString(OPEN));
    }

    /// Replaces agent and runtime by new ones.
    void restart() throws Exception {
        agent.close();
        runtime.close();
        runtime = OciRuntime.start(settings, Clock.systemUTC());
        agent = NodeAgent.start(rig.options(), rig.cluster, runtime);
    }

    /// The state of a pod's first container.
    JsonObject state(String pod) {
        return rig.status(pod).objects("containerStatuses").stream()
                .findFirst()
                .map(one -> one.objectOrEmpty("state"))
                .orElse(JsonObject.EMPTY);
    }

    /// Waits until a pod has terminated. Returns the output of its container.
    List<String> output(String pod) throws Exception {
        Eventually.holds(
                "pod " + pod + " has ended: " + rig.pod(pod),
                () -> List.of("Succeeded", "Failed").contains(rig.phase(pod)));
        return printed(pod);
    }

    /// The output lines of a container. A line is several log records when it was written in parts.
    List<String> printed(String pod) throws IOException {
        var log = logs(pod).resolve("a").resolve("0.log");
        var lines = new ArrayList<String>();
        var line = new StringBuilder();
        for (var record : Files.readAllLines(log)) {
            var fields = record.split(" ", 4);
            line.append(fields[3]);
            if (fields[2].equals("F")) {
                lines.add(line.toString());
                line.setLength(0);
            }
        }
        if (!line.isEmpty()) {
            lines.add(line.toString());
        }
        return lines;
    }

    Path logs(String pod) {
        return rig.options().logs().resolve("default_%s_%s".formatted(pod, uid(pod)));
    }

    Path pod(String pod) {
        return rig.root.resolve("pods").resolve(uid(pod));
    }

    private String uid(String pod) {
        return rig.pod(pod).orElseThrow().objectOrEmpty("metadata").text("uid");
    }

    /// Mounts in the directories of pods.
    List<Path> mounts() throws IOException {
        return MountTable.read().below(rig.root.resolve("pods"));
    }

    @Override
    public void close() throws RuntimeFailure, IOException {
        agent.close();
        for (var sandbox : runtime.sandboxes()) {
            runtime.removeSandbox(sandbox.id());
        }
        runtime.close();
        rig.close();
        BindMounts.removeBelow(directory);
        SafeDirectory.deleteTree(directory);
    }
}
