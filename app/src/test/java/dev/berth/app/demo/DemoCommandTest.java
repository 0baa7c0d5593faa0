package dev.berth.app.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.app.CommandRun;
import dev.berth.app.scenario.BerthProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DemoCommandTest {

    private static final String EXAMPLES = Path.of("..", "examples").toString();

    @Test
    void reportsRequestsDevicesAndReasons() {
        var run = CommandRun.of("demo", "--only", "02-", "--examples", EXAMPLES);
        assertThat(run.exitCode()).as(run.out() + run.err()).isZero();
        assertThat(run.out())
                .contains("1/1  A GPU and a network card on one PCIe root")
                .containsPattern("asked +gpu: 1 x gpu.nvidia.com; nic: 1 x dra.net where")
                .containsPattern("given +pod all-reduce is running on ")
                .containsPattern("resource.kubernetes.io/pcieRoot is\\s+pci0000:\\w+ for")
                .contains("1 of 1 scenarios came out as expected.");
    }

    @Test
    void failsWhenAnExpectationIsNotMet(@TempDir Path folder) throws IOException {
        var scenario = Files.createDirectories(folder.resolve("01-never"));
        Files.writeString(
                scenario.resolve("expected.yaml"),
                """
                title: Never
                nodes: cpu=1
                steps:
                - apply: pod.yaml
                - expect: {pods: web, phase: Failed}
                """);
        Files.writeString(
                scenario.resolve("pod.yaml"),
                """
                apiVersion: v1
                kind: Pod
                metadata: {name: web}
                spec: {containers: [{name: main, image: nginx}]}
                """);
        var run = CommandRun.of("demo", "--timeout", "5", "--examples", folder.toString());
        assertThat(run.exitCode()).as(run.out() + run.err()).isEqualTo(1);
        assertThat(run.out())
                .contains("\"Failed 1 x web\" did not come out: pod web is Running")
                .contains("0 of 1 scenarios came out as expected.");
    }

    @Test
    void reportsTheErrorOfAScenario(@TempDir Path folder) throws IOException {
        var scenario = Files.createDirectories(folder.resolve("01-wrong"));
        var file = scenario.resolve("expected.yaml");
        Files.writeString(file, "title: Wrong\nnodes: cpu=1\nsteps: [{pray: true}]\n");
        var run = CommandRun.of("demo", "--examples", folder.toString());
        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).contains(file + ": steps: there is no field \"pray\"");
    }

    @Test
    void reportsTheScenarioDirectory(@TempDir Path folder) {
        var elsewhere = CommandRun.of("demo", "--examples", folder.toString());
        assertThat(elsewhere.exitCode()).isEqualTo(2);
        assertThat(elsewhere.err()).contains(folder + " has no scenarios");
        var unknown = CommandRun.of("demo", "--only", "quantum", "--examples", EXAMPLES);
        assertThat(unknown.exitCode()).isEqualTo(2);
        assertThat(unknown.err()).contains("no scenario has a name with quantum");
    }

    @Test
    void leavesNothingBehindWhenItIsKeptAndInterrupted() throws Exception {
        try (var demo =
                BerthProcess.start("demo", "--keep", "--only", "05-", "--examples", EXAMPLES)) {
            var line = demo.awaitLine(one -> one.contains("export KUBECONFIG="));
            var kubeconfig = Path.of(line.substring(line.indexOf('=') + 1));
            assertThat(kubeconfig).exists();
            demo.interrupt();
            assertThat(kubeconfig.getParent()).doesNotExist();
        }
    }

    @Test
    void helpListsOptions() {
        var run = CommandRun.of("demo", "--help");
        assertThat(run.exitCode()).isZero();
        assertThat(run.out()).contains("--only", "--keep", "--examples", "--timeout");
    }
}
