package dev.berth.app.node;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.berth.client.Cluster;
import dev.berth.client.Request;
import dev.berth.client.RequestResult;
import dev.berth.client.ResourcePath;
import dev.berth.harness.Eventually;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.ParseResult;
import dev.berth.model.json.YamlReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Callable;

/// Helpers for tests with real containers.
public final class RealMachine {

    private static final Duration TIMEOUT = Duration.ofMinutes(3);
    private static final ResourcePath PODS = new ResourcePath("", "v1", "pods");
    private static final ResourcePath CLAIMS =
            new ResourcePath("resource.k8s.io", "v1", "resourceclaims");
    private static final Map<String, ResourcePath> KINDS =
            Map.of(
                    "Pod",
                    PODS,
                    "ResourceClaimTemplate",
                    new ResourcePath("resource.k8s.io", "v1", "resourceclaimtemplates"));

    private RealMachine() {}

    /// Skips the test where containers cannot run.
    public static void assumeContainers() {
        assumeTrue("root".equals(System.getProperty("user.name")), "containers need root");
        for (var program : List.of("runc", "conmon", "losetup", "mkfs.ext4", "ip")) {
            assumeTrue(isInstalled(program), program + " is not installed");
        }
        assumeTrue(BusyboxLayout.isPossible(), "/bin/busybox is missing (busybox-static)");
    }

    private static boolean isInstalled(String program) {
        return List.of("/usr/sbin", "/usr/bin", "/sbin", "/bin").stream()
                .anyMatch(place -> Files.isExecutable(Path.of(place, program)));
    }

    /// Creates all objects of a manifest.
    public static void apply(Cluster cluster, String manifest) {
        if (!(YamlReader.read(manifest) instanceof ParseResult.Documents(var documents))) {
            throw new AssertionError("not a manifest");
        }
        for (var document : documents) {
            if (document.root() instanceof JsonObject object) {
                var address = KINDS.getOrDefault(object.text("kind"), PODS);
                var outcome = cluster.send(Request.Create.of(address, "default", object));
                if (!outcome.isDone() && !(outcome instanceof RequestResult.Exists)) {
                    throw new AssertionError(outcome.message());
                }
            }
        }
    }

    public static Optional<JsonObject> pod(Cluster cluster, String name) {
        return switch (cluster.send(new Request.Get(PODS, "default", name))) {
            case RequestResult.Done(var pod) -> Optional.of(pod);
            case RequestResult.Missing _ -> Optional.empty();
            case RequestResult other -> throw new IllegalStateException(other.message());
        };
    }

    public static String phase(Cluster cluster, String name) {
        return pod(cluster, name)
                .map(one -> one.objectOrEmpty("status").text("phase"))
                .orElse("gone");
    }

    public static void delete(Cluster cluster, String name) {
        var outcome =
                cluster.send(
                        new Request.Delete(
                                PODS, "default", name, Optional.empty(), OptionalLong.empty()));
        if (!outcome.isDone()) {
            throw new AssertionError(outcome.message());
        }
    }

    /// The number of claims.
    public static int claims(Cluster cluster) {
        return cluster.send(new Request.Get(CLAIMS, "default", ""))
                        instanceof RequestResult.Done(var list)
                ? list.items("items").size()
                : -1;
    }

    /// Mounts, loop devices and files below a directory; empty when all are cleaned up.
    public static List<String> leftovers(Path root) throws IOException, InterruptedException {
        var left = new ArrayList<String>();
        for (var line : Files.readAllLines(Path.of("/proc/self/mounts"))) {
            if (line.contains(root.toString())) {
                left.add("mount " + line);
            }
        }
        var losetup = new ProcessBuilder("losetup", "-a").start();
        for (var line : losetup.inputReader().readAllLines()) {
            if (line.contains(root.toString())) {
                left.add("loop " + line);
            }
        }
        var _ = losetup.waitFor();
        for (var place : List.of("pods", "cdi", "oci/containers", "oci/sandboxes")) {
            var directory = root.resolve(place);
            if (Files.isDirectory(directory)) {
                try (var all = Files.list(directory)) {
                    all.forEach(one -> left.add("file " + one));
                }
            }
        }
        var held = root.resolve("dra_manager_state");
        if (Files.exists(held) && !Files.readString(held).contains("StateList\\\":[]")) {
            left.add("held " + Files.readString(held));
        }
        return left;
    }

    /// Waits for a condition that fails while the server does not respond.
    public static void await(String what, Callable<Boolean> condition) {
        Eventually.holds(
                what,
                () -> {
                    try {
                        return condition.call();
                    } catch (IllegalStateException _) {
                        return false;
                    }
                });
    }

    public static void remove(Path directory) throws IOException {
        try (var all = Files.walk(directory)) {
            for (var path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        }
    }
}
