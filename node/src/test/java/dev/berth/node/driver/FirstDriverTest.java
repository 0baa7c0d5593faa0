package dev.berth.node.driver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.harness.Eventually;
import dev.berth.node.cdi.CdiRegistry;
import dev.berth.wire.dra.v1.NodePrepareResourceResponse;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Compiles and runs the sources of the tutorial in a process of its own, so that it can be killed.
class FirstDriverTest {

    private static final Path TUTORIAL = Path.of("../docs/tutorial/first-driver.md");
    private static final Pattern PROGRAM = Pattern.compile("(?s)```java\n(.*?)```");
    private static final String DRIVER = "greeter.example.com";

    @TempDir private static Path directory = Path.of("");

    private DriverRig rig;
    private Path classes;
    private Process process;

    @BeforeEach
    void start() throws Exception {
        rig = new DriverRig(Files.createTempDirectory(directory, "t"));
        classes = compile(program());
        process = run();
    }

    @AfterEach
    void stop() throws InterruptedException {
        process.destroyForcibly().waitFor();
        rig.close();
    }

    private static String program() throws IOException {
        var matcher = PROGRAM.matcher(Files.readString(TUTORIAL));
        assertThat(matcher.find()).isTrue();
        return matcher.group(1);
    }

    private Path compile(String program) throws IOException {
        var file = rig.directory.resolve("GreeterDriver.java");
        Files.writeString(file, program);
        var target = Files.createDirectories(rig.directory.resolve("classes"));
        var result =
                ToolProvider.getSystemJavaCompiler()
                        .run(
                                null,
                                null,
                                null,
                                "-d",
                                target.toString(),
                                "-cp",
                                System.getProperty("java.class.path"),
                                "-Xlint:all,-classfile",
                                "-Werror",
                                "-proc:none",
                                file.toString());
        assertThat(result).isZero();
        return target;
    }

    private Process run() throws IOException {
        var builder =
                new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        classes + ":" + System.getProperty("java.class.path"),
                        "GreeterDriver");
        var environment = builder.environment();
        environment.put("NODE_NAME", "node-1");
        environment.put("KUBELET_ROOT", rig.directory.resolve("k").toString());
        environment.put("CDI_ROOT", rig.cdi().toString());
        environment.put("KUBECONFIG", rig.server.kubeconfig().toString());
        return builder.redirectErrorStream(true)
                .redirectOutput(rig.directory.resolve("driver.log").toFile())
                .start();
    }

    private void awaitRegistration() throws Exception {
        Eventually.holds(
                "the driver is registered",
                () -> {
                    assertThat(process.isAlive()).as(this::log).isTrue();
                    rig.kubelet.scan();
                    return !rig.kubelet.registered().isEmpty();
                });
    }

    private String log() {
        try {
            return Files.readString(rig.directory.resolve("driver.log"));
        } catch (IOException e) {
            return e.toString();
        }
    }

    @Test
    void theTutorialsDriverPublishesPreparesAndShutsDown() throws Exception {
        awaitRegistration();
        Eventually.holds("there is a slice", () -> !rig.slices().isEmpty());
        assertThat(rig.slices().getFirst().spec().devices())
                .extracting(device -> device.name())
                .containsExactly("english", "french", "german");
        var claim = rig.claimWith("plain", DRIVER, "[]", "german");
        assertThat(greetings(rig.kubelet.prepare(claim))).containsExactly("GREETING=Hallo, world!");
        var named =
                rig.claimWith(
                        "named",
                        DRIVER,
                        "[{source: FromClaim, opaque: {driver: %s, parameters: {apiVersion: %s/v1,"
                                        .formatted(DRIVER, DRIVER)
                                + " kind: Greeting, name: Ada}}}]",
                        "french");
        assertThat(greetings(rig.kubelet.prepare(named))).containsExactly("GREETING=Salut, Ada!");
        process.destroy();
        process.waitFor();
        rig.kubelet.scan();
        assertThat(rig.kubelet.registered()).isEmpty();
    }

    @Test
    void aKilledDriverContinuesAfterARestart() throws Exception {
        awaitRegistration();
        var claim = rig.claimWith("c", DRIVER, "[]", "english");
        var response = rig.kubelet.prepare(claim);
        process.destroyForcibly().waitFor();
        assertThat(rig.registry()).isNotEmptyDirectory();
        process = run();
        // The socket of the killed process still exists: calls fail until the new process replaces
        // it.
        Eventually.holds(
                "the driver answers again",
                () -> {
                    try {
                        return rig.kubelet.prepare(claim).equals(response);
                    } catch (StatusRuntimeException _) {
                        return false;
                    }
                });
        assertThat(greetings(response)).containsExactly("GREETING=Hello, world!");
        assertThat(rig.kubelet.unprepare(claim)).isEmpty();
        assertThat(rig.cdi()).isEmptyDirectory();
    }

    private List<String> greetings(NodePrepareResourceResponse response) throws IOException {
        assertThat(response.getError()).isEmpty();
        var ids = response.getDevices(0).getCdiDeviceIdsList();
        return switch (CdiRegistry.scan(List.of(rig.cdi())).resolve(ids)) {
            case CdiRegistry.Resolution.Resolved(var edits) -> edits.env();
            case CdiRegistry.Resolution.Unresolved(var missing) ->
                    throw new AssertionError(missing);
        };
    }
}
