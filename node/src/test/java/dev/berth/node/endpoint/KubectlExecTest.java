package dev.berth.node.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.harness.Eventually;
import dev.berth.model.api.meta.Uid;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `kubectl exec` through the API server to the endpoint of a node.
class KubectlExecTest {

    @TempDir static Path home;
    private static EndpointRig rig;
    private static Uid pod;

    @BeforeAll
    static void start() {
        rig = new EndpointRig(home);
        rig.register();
        pod = rig.pod("worker", "main");
        rig.runtime.running(pod, "main", 0, rig.log("worker", "main", 0));
    }

    @AfterAll
    static void stop() {
        if (rig != null) {
            rig.close();
        }
    }

    @Test
    void outputOfACommandIsPrinted() {
        var run = rig.run("", "exec", "worker", "--", "sh", "-c", "echo out; echo err >&2");

        assertThat(run).isEqualTo(new EndpointRig.Run(0, "out\n", "err\n"));
    }

    @Test
    void kubectlExitsWithTheCommandsExitCode() {
        var run = rig.run("", "exec", "worker", "--", "sh", "-c", "exit 7");

        assertThat(run.exit()).isEqualTo(7);
        assertThat(run.err()).isEqualTo("command terminated with exit code 7\n");
    }

    @Test
    void aCommandReadsStandardInput() {
        var run = rig.run("a\nb & c\n", "exec", "-i", "worker", "--", "sort", "-r");

        assertThat(run).isEqualTo(new EndpointRig.Run(0, "b & c\na\n", ""));
    }

    @Test
    void largeInputAndOutputIsUnchanged() {
        var text = "0123456789abcdef".repeat(64 * 1024);

        var run = rig.run(text, "exec", "-i", "worker", "--", "cat");

        assertThat(run.exit()).isZero();
        assertThat(run.out().equals(text)).isTrue();
    }

    @Test
    void argumentsKeepSpacesAndSpecialCharacters() {
        assertThat(rig.ok("exec", "worker", "--", "printf", "%s|", "a b", "c+d", "ä&e=f"))
                .isEqualTo("a b|c+d|ä&e=f|");
    }

    @Test
    void aCommandIsKilledWhenItsClientDisconnects() throws Exception {
        var running = rig.start("exec", "worker", "--", "sh", "-c", "echo begun; exec sleep 1000");
        Eventually.holds(() -> {
            assertThat(running.process().isAlive()).isTrue();
            return running.printed().equals("begun\n");
        });
        assertThat(rig.runtime.alive()).isEqualTo(1);

        running.process().destroyForcibly();

        Eventually.holds("the command is killed", () -> rig.runtime.alive() == 0);
    }

    @Test
    void anUnknownCommandIsReported() {
        assertThat(rig.fails("exec", "worker", "--", "no-such-command"))
                .contains("cannot run [no-such-command]");
        assertThat(rig.fails("exec", "worker", "-c", "side", "--", "true"))
                .contains("container side");
        assertThat(rig.fails("get", "--raw", "/api/v1/namespaces/default/pods/worker/exec"))
                .contains("you must specify a command");
    }

    @Test
    void aContainerThatDoesNotRunIsReported() {
        rig.pod("waiting", "main");

        assertThat(rig.fails("exec", "waiting", "--", "true"))
                .contains("container not found (\"main\"): it is waiting to start");
    }

    @Test
    void otherProtocolsAreRefused() {
        var exec = "/api/v1/namespaces/default/pods/worker/exec?command=true&stdout=true";

        assertThat(rig.fails("get", "--raw", exec)).contains("Upgrade request required");
        assertThat(rig.fails("attach", "worker")).contains("attach is not supported");
        assertThat(rig.fails("get", "--raw", "/api/v1/namespaces/default/pods/worker/portforward"))
                .contains("port-forward is not supported");
        assertThat(rig.oldFashioned("exec", "worker", "--", "true").err())
                .contains("SPDY/3.1 is not supported, WebSocket is");
    }
}
