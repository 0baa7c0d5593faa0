package dev.berth.node.cri;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.harness.Eventually;
import dev.berth.node.socket.SocketChannel;
import dev.berth.wire.cri.ImageServiceGrpc;
import dev.berth.wire.cri.ImageSpec;
import dev.berth.wire.cri.ImageStatusRequest;
import dev.berth.wire.cri.RuntimeServiceGrpc;
import dev.berth.wire.cri.VersionRequest;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/// A containerd of this machine, with directories and a socket of its own.
final class Containerd implements AutoCloseable {

    static final String IMAGE = "berth.test/busybox:1";
    private static final Pattern VERSION = Pattern.compile("[ v]([0-9]+)\\.([0-9]+)\\.[0-9]+");

    /// A containerd that is installed or unpacked in a directory.
    record Program(Path directory, int major, int minor) {
        boolean isBefore(int otherMajor, int otherMinor) {
            return major < otherMajor || (major == otherMajor && minor < otherMinor);
        }
    }

    private final Program program;
    private final Path home;
    private final Process process;

    /// @param home short, because it contains sockets
    Containerd(Program program, Path home, boolean hasCdi) throws Exception {
        this.program = program;
        this.home = home;
        var config = Files.writeString(home.resolve("config.toml"), config(hasCdi));
        var builder =
                new ProcessBuilder(
                                program.directory.resolve("containerd").toString(),
                                "--config",
                                config.toString())
                        .redirectErrorStream(true)
                        .redirectOutput(home.resolve("containerd.log").toFile());
        // Its helpers must have the same version.
        builder.environment()
                .merge("PATH", program.directory.toString(), (old, own) -> own + ":" + old);
        this.process = builder.start();
        try {
            awaitReady();
        } catch (Exception | AssertionError e) {
            close();
            throw e;
        }
    }

    /// All containerds of this machine: the installed one, and those in the directories of
    /// `BERTH_CONTAINERD`, separated by colons.
    static List<Program> programs() {
        var directories = new ArrayList<String>();
        directories.addAll(
                List.of(System.getenv().getOrDefault("BERTH_CONTAINERD", "").split(":", -1)));
        directories.addAll(List.of(System.getenv().getOrDefault("PATH", "").split(":", -1)));
        return directories.stream()
                .filter(one -> !one.isEmpty())
                .map(Path::of)
                .filter(one -> Files.isExecutable(one.resolve("containerd")))
                .flatMap(one -> program(one).stream())
                .toList();
    }

    private static Optional<Program> program(Path directory) {
        try {
            var text = run(List.of(directory.resolve("containerd").toString(), "--version"));
            var version = VERSION.matcher(text);
            return version.find()
                    ? Optional.of(
                            new Program(
                                    directory,
                                    Integer.parseInt(version.group(1)),
                                    Integer.parseInt(version.group(2))))
                    : Optional.empty();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    /// Skips the test where containers cannot run.
    static void assumeRootAndRunc() throws Exception {
        Assumptions.assumeTrue(
                Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0),
                "containers need root");
        Assumptions.assumeTrue(
                isInstalled("runc") && Files.exists(Path.of("/bin/busybox")),
                "install runc and busybox-static");
    }

    private static boolean isInstalled(String program) {
        return Stream.of(System.getenv().getOrDefault("PATH", "").split(":", -1))
                .anyMatch(one -> Files.isExecutable(Path.of(one, program)));
    }

    private String config(boolean hasCdi) {
        return """
        version = 2
        root = "%1$s/root"
        state = "%1$s/state"
        disabled_plugins = ["io.containerd.snapshotter.v1.btrfs",
          "io.containerd.snapshotter.v1.zfs", "io.containerd.snapshotter.v1.devmapper",
          "io.containerd.snapshotter.v1.aufs", "io.containerd.internal.v1.opt",
          "io.containerd.nri.v1.nri"]
        [grpc]
          address = "%1$s/c.sock"
        [ttrpc]
          address = "%1$s/t.sock"
        [plugins."io.containerd.grpc.v1.cri"]
          sandbox_image = "%2$s"
          stream_server_address = "127.0.0.1"
          stream_server_port = "0"
          disable_apparmor = true
          restrict_oom_score_adj = true
          %3$s
          [plugins."io.containerd.grpc.v1.cri".containerd]
            snapshotter = "native"
        """
                .formatted(
                        home,
                        IMAGE,
                        program.isBefore(1, 7)
                                ? ""
                                : "enable_cdi = %s\n  cdi_spec_dirs = [\"%s/cdi\"]"
                                        .formatted(hasCdi, home));
    }

    Path socket() {
        return home.resolve("c.sock");
    }

    private void awaitReady() throws Exception {
        Eventually.holds("containerd answers", this::isReady);
    }

    private boolean isReady() throws IOException {
        try (var channel = new SocketChannel(socket())) {
            RuntimeServiceGrpc.newBlockingStub(channel.channel())
                    .withDeadlineAfter(10, TimeUnit.SECONDS)
                    .version(VersionRequest.getDefaultInstance());
            return true;
        } catch (StatusRuntimeException e) {
            assertThat(process.isAlive()).as("%s %s", e.getMessage(), log()).isTrue();
            return false;
        }
    }

    String log() throws IOException {
        return Files.readString(home.resolve("containerd.log"));
    }

    /// Imports an image with busybox, and waits until containerd knows it.
    void importImage() throws Exception {
        var archive = archive();
        var command = new ArrayList<String>();
        command.add(program.directory.resolve("ctr").toString());
        command.addAll(List.of("--address", socket().toString(), "--namespace", "k8s.io"));
        command.addAll(List.of("images", "import", "--snapshotter", "native"));
        if (!program.isBefore(2, 0)) {
            // Otherwise the daemon unpacks it, with its own default snapshotter only.
            command.add("--local");
        }
        command.add(archive.toString());
        run(command);
        try (var channel = new SocketChannel(socket())) {
            var request =
                    ImageStatusRequest.newBuilder()
                            .setImage(ImageSpec.newBuilder().setImage(IMAGE))
                            .build();
            var images = ImageServiceGrpc.newBlockingStub(channel.channel());
            Eventually.holds("the image is known", () -> images.imageStatus(request).hasImage());
        }
    }

    /// An OCI image in one file.
    private Path archive() throws Exception {
        var root = Files.createDirectories(home.resolve("image/root/bin"));
        Files.copy(Path.of("/bin/busybox"), root.resolve("busybox"));
        for (var name : List.of("sh", "sleep", "cat", "env", "sort", "stty")) {
            Files.createSymbolicLink(root.resolve(name), Path.of("busybox"));
        }
        var layout = Files.createDirectories(home.resolve("image/layout"));
        var blobs = Files.createDirectories(layout.resolve("blobs/sha256"));
        var layer = home.resolve("image/layer.tar");
        run(List.of("tar", "-C", home.resolve("image/root").toString(), "-cf", "" + layer, "."));
        var layerDigest = blob(blobs, Files.readAllBytes(layer));
        var config =
                """
                {"architecture": "%s", "os": "linux",
                 "config": {"Entrypoint": ["/bin/sleep"], "Cmd": ["1000000"],
                  "Env": ["PATH=/bin"], "WorkingDir": "/"},
                 "rootfs": {"type": "layers", "diff_ids": ["sha256:%s"]}}
                """
                        .formatted(
                                System.getProperty("os.arch", "").replace("aarch64", "arm64"),
                                layerDigest);
        var configDigest = blob(blobs, config.getBytes(StandardCharsets.UTF_8));
        var manifest =
                """
                {"schemaVersion": 2, "mediaType": "application/vnd.oci.image.manifest.v1+json",
                 "config": {"mediaType": "application/vnd.oci.image.config.v1+json",
                  "digest": "sha256:%s", "size": %d},
                 "layers": [{"mediaType": "application/vnd.oci.image.layer.v1.tar",
                  "digest": "sha256:%s", "size": %d}]}
                """
                        .formatted(configDigest, config.length(), layerDigest, Files.size(layer));
        var manifestDigest = blob(blobs, manifest.getBytes(StandardCharsets.UTF_8));
        Files.writeString(layout.resolve("oci-layout"), "{\"imageLayoutVersion\": \"1.0.0\"}");
        Files.writeString(
                layout.resolve("index.json"),
                """
                {"schemaVersion": 2, "manifests": [
                 {"mediaType": "application/vnd.oci.image.manifest.v1+json",
                  "digest": "sha256:%s", "size": %d,
                  "annotations": {"io.containerd.image.name": "%s"}}]}
                """
                        .formatted(manifestDigest, manifest.length(), IMAGE));
        var archive = home.resolve("image.tar");
        run(List.of("tar", "-C", layout.toString(), "-cf", archive.toString(), "."));
        return archive;
    }

    private static String blob(Path blobs, byte[] content) throws Exception {
        var digest = HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content));
        Files.write(blobs.resolve(digest), content);
        return digest;
    }

    private static String run(List<String> command) throws Exception {
        var process = new ProcessBuilder(command).redirectErrorStream(true).start();
        var text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as("%s: %s", command, text).isZero();
        return text;
    }

    @Override
    public void close() {
        try {
            stop();
        } catch (Exception e) {
            throw new AssertionError("containerd did not stop", e);
        }
    }

    private void stop() throws Exception {
        process.destroy();
        if (!process.waitFor(30, TimeUnit.SECONDS)) {
            process.destroyForcibly().waitFor();
        }
        // Leftovers of a failed test: helpers that were started for this socket, and mounts.
        ProcessHandle.allProcesses()
                .filter(one ->
                        one.info()
                                .commandLine()
                                .filter(line -> line.contains(socket().toString()))
                                .isPresent())
                .forEach(ProcessHandle::destroyForcibly);
        for (var mount : Files.readAllLines(Path.of("/proc/self/mounts")).reversed()) {
            var place = mount.split(" ", -1)[1];
            if (place.startsWith(home + "/")) {
                run(List.of("umount", "-l", place));
            }
        }
    }
}
