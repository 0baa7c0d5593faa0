package dev.berth.node.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.harness.Eventually;
import dev.berth.model.api.meta.Uid;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `kubectl logs` through the API server to the endpoint of a node.
class KubectlLogsTest {

    @TempDir static Path home;
    private static EndpointRig rig;
    private static Uid pod;

    @BeforeAll
    static void start() {
        rig = new EndpointRig(home);
        rig.register();
        pod = rig.pod("talker", "main");
        rig.log("talker", "main", 0, "older");
        rig.runtime.running(pod, "main", 1, rig.log("talker", "main", 1, "one", "two", "three"));
    }

    @AfterAll
    static void stop() {
        if (rig != null) {
            rig.close();
        }
    }

    @Test
    void aLogIsShown() {
        assertThat(rig.ok("logs", "talker")).isEqualTo("one\ntwo\nthree\n");
    }

    @Test
    void tailSinceLimitAndTimestampsAreApplied() {
        assertThat(rig.ok("logs", "talker", "--tail=2")).isEqualTo("two\nthree\n");
        assertThat(rig.ok("logs", "talker", "--limit-bytes=5")).isEqualTo("one\nt");
        assertThat(rig.ok("logs", "talker", "--tail=1", "--timestamps"))
                .isEqualTo("2026-11-16T10:00:00.500000000Z three\n");
        assertThat(rig.ok("logs", "talker", "--since-time=2026-11-16T10:00:01Z")).isEmpty();
        assertThat(rig.ok("logs", "talker", "--previous", "-c", "main")).isEqualTo("older\n");
    }

    @Test
    void followingContinuesUntilTheContainerExits() throws Exception {
        var uid = rig.pod("follower", "main");
        var log = rig.log("follower", "main", 0, "begin");
        rig.runtime.running(uid, "main", 0, log);

        var running = rig.start("logs", "-f", "follower");
        Eventually.holds(() -> {
            assertThat(running.process().isAlive()).isTrue();
            return running.printed().equals("begin\n");
        });
        Files.writeString(log, "2026-11-16T10:00:01Z stdout F end\n", StandardOpenOption.APPEND);
        rig.runtime.exited(uid, "main", 0, log);

        assertThat(running.end()).isEqualTo(new EndpointRig.Run(0, "begin\nend\n", ""));
    }

    @Test
    void logsOfTerminatedContainersAreKept() {
        rig.pod("done", "main");
        rig.log("done", "main", 0, "result");

        assertThat(rig.ok("logs", "done")).isEqualTo("result\n");
    }

    @Test
    void oneOfSeveralContainersMustBeNamed() {
        var uid = rig.pod("pair", "left", "right");
        rig.runtime.running(uid, "right", 0, rig.log("pair", "right", 0, "here"));

        // kubectl selects the first container itself; other clients do not.
        assertThat(rig.ok("logs", "pair", "-c", "right")).isEqualTo("here\n");
        assertThat(rig.fails("get", "--raw", "/api/v1/namespaces/default/pods/pair/log"))
                .contains("a container name must be specified for pod pair")
                .contains("choose one of: [left right]");
        assertThat(rig.fails("logs", "pair", "-c", "middle"))
                .contains("container middle is not valid for pod pair");
        assertThat(rig.fails("logs", "pair", "-c", "left"))
                .contains("(BadRequest)")
                .contains("container \"left\" in pod \"pair\" is waiting to start");
    }

    @Test
    void missingContainersAreReported() {
        var uid = rig.pod("first", "main");
        rig.runtime.running(uid, "main", 0, rig.log("first", "main", 0, "x"));

        assertThat(rig.fails("logs", "first", "--previous"))
                .contains("previous terminated container \"main\" in pod \"first\" not found");
        assertThat(rig.fails("logs", "nobody")).contains("pods \"nobody\" not found");
    }

    @Test
    void aPendingPodHasNoLog() {
        rig.send(
                "/api/v1/namespaces/default/pods",
                """
                {"metadata": {"name": "pending"},
                 "spec": {"containers": [{"name": "c", "image": "i"}]}}
                """);

        assertThat(rig.ok("logs", "pending")).isEmpty();
    }

    @Test
    void aNodeWithoutEndpointIsReported() {
        rig.send("/api/v1/nodes", "{\"metadata\": {\"name\": \"toy\"}}");
        rig.send(
                "/api/v1/namespaces/default/pods",
                """
                {"metadata": {"name": "on-toy"},
                 "spec": {"nodeName": "toy", "containers": [{"name": "c", "image": "i"}]}}
                """);

        assertThat(rig.fails("logs", "on-toy"))
                .contains("node toy has no usable endpoint")
                .contains("Logs and exec require a node with an agent");
        assertThat(rig.fails("exec", "on-toy", "--", "true"))
                .contains("node toy has no usable endpoint");
    }

    @Test
    void invalidParametersAreRefused() {
        var log = "/api/v1/namespaces/default/pods/talker/log";

        assertThat(rig.fails("get", "--raw", log + "?tailLines=-2"))
                .contains("tailLines: Invalid value: -2: must be greater than or equal to 0");
        assertThat(
                        rig.fails(
                                "get",
                                "--raw",
                                log + "?sinceSeconds=3&sinceTime=2026-11-16T10:00:00Z"))
                .contains("at most one of");
    }
}
