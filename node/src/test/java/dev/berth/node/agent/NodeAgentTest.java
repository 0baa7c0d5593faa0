package dev.berth.node.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.Request;
import dev.berth.client.ResourcePath;
import dev.berth.client.cache.ObjectCache;
import dev.berth.harness.Eventually;
import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.codec.Kinds;
import dev.berth.model.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The agent with a real API server and an in-memory runtime.
class NodeAgentTest {

    @TempDir private static Path directory = Path.of("");

    private final MemoryRuntime runtime = new MemoryRuntime();
    private final ObjectCache<JsonObject> events = ObjectCache.ofJson();
    private AgentRig rig;
    private NodeAgent agent;

    @BeforeEach
    void start() throws Exception {
        rig = new AgentRig(Files.createTempDirectory(directory, "t"));
        rig.cluster.watch(ResourcePath.EVENTS, "", events);
        agent = NodeAgent.start(rig.options(), rig.cluster, runtime);
    }

    @AfterEach
    void stop() {
        agent.close();
        rig.close();
    }

    @Test
    void theNodeIsRegisteredAndReady() throws Exception {
        Eventually.holds("it is ready", () -> agent.awaitReady(Duration.ofMillis(10)));
        var node = rig.send(new Request.Get(ResourcePath.of(Kinds.NODE), "", "node-1"));
        assertThat(node.objectOrEmpty("metadata").objectOrEmpty("labels").text("kubernetes.io/os"))
                .isEqualTo("linux");
        assertThat(node.objectOrEmpty("status").objects("conditions"))
                .anyMatch(one ->
                        one.text("type").equals("Ready") && one.text("status").equals("True"));
        var lease =
                rig.send(new Request.Get(ResourcePath.LEASES, "kube-node-lease", "node-1"))
                        .objectOrEmpty("spec");
        assertThat(lease.number("leaseDurationSeconds")).hasValue(40);
    }

    @Test
    void aPodRunsAndEnds() throws Exception {
        rig.create(
                """
                metadata: {name: p}
                spec:
                  nodeName: node-1
                  restartPolicy: Never
                  initContainers: [{name: first, image: i}]
                  containers: [{name: a, image: i}, {name: b, image: i}]
                """);
        Eventually.holds("first runs", () -> runtime.log.contains("start first"));
        assertThat(rig.phase("p")).isEqualTo("Pending");
        runtime.exit("first", 0);
        rig.awaitPhase("p", "Running");
        var status = rig.status("p");
        assertThat(status.text("podIP")).isEqualTo("10.0.0.7");
        assertThat(status.text("hostIP")).isEqualTo("127.0.0.1");
        runtime.exit("a", 0);
        runtime.exit("b", 0);
        rig.awaitPhase("p", "Succeeded");
        assertThat(runtime.log)
                .containsExactly(
                        "sandbox p",
                        "start first",
                        "exit first 0",
                        "start a",
                        "start b",
                        "exit a 0",
                        "exit b 0",
                        "remove sandbox p");
    }

    @Test
    void aDeletedPodTerminatesInOrder() throws Exception {
        rig.create(
                """
                metadata: {name: p}
                spec:
                  nodeName: node-1
                  terminationGracePeriodSeconds: 5
                  initContainers:
                  - {name: s1, image: i, restartPolicy: Always}
                  - {name: s2, image: i, restartPolicy: Always}
                  containers:
                  - name: a
                    image: i
                    lifecycle: {preStop: {exec: {command: [bye]}}}
                """);
        rig.awaitPhase("p", "Running");
        runtime.log.clear();
        rig.delete("p");
        rig.awaitPhase("p", "gone");
        Eventually.holds("nothing is left", () -> runtime.sandboxes().isEmpty());
        assertThat(runtime.log)
                .containsExactly(
                        "run bye", "exit a 143", "exit s2 143", "exit s1 143", "remove sandbox p");
        Eventually.holds("its directory is gone", () -> isEmpty(rig.root.resolve("pods")));
    }

    @Test
    void aContainerThatKeepsTerminatingIsInCrashLoopBackOff() throws Exception {
        rig.create(
                """
                metadata: {name: p}
                spec:
                  nodeName: node-1
                  containers: [{name: a, image: i}]
                """);
        rig.awaitPhase("p", "Running");
        runtime.exit("a", 3);
        Eventually.holds(
                "it is started again",
                () -> runtime.log.stream().filter("start a"::equals).count() == 2);
        runtime.exit("a", 3);
        Eventually.holds(
                "it waits",
                () ->
                        rig.status("p")
                                .objects("containerStatuses")
                                .getFirst()
                                .objectOrEmpty("state")
                                .objectOrEmpty("waiting")
                                .text("reason")
                                .equals("CrashLoopBackOff"));
        var container = rig.status("p").objects("containerStatuses").getFirst();
        assertThat(container.number("restartCount")).hasValue(1);
        assertThat(
                        container
                                .objectOrEmpty("lastState")
                                .objectOrEmpty("terminated")
                                .number("exitCode"))
                .hasValue(3);
        awaitEvent("BackOff", "Back-off restarting failed container a");
    }

    @Test
    void aMissingImageIsReported() throws Exception {
        runtime.missImage("i", true);
        rig.create(
                """
                metadata: {name: p}
                spec:
                  nodeName: node-1
                  containers: [{name: a, image: i}]
                """);
        awaitEvent("Failed", "image \"i\" is not on this node");
        runtime.missImage("i", false);
        rig.awaitPhase("p", "Running");
    }

    @Test
    void aRestartedAgentAdoptsRunningContainers() throws Exception {
        for (var name : List.of("kept", "deleted", "forced")) {
            rig.create(
                    """
                    metadata: {name: %s}
                    spec:
                      nodeName: node-1
                      terminationGracePeriodSeconds: 1
                      containers: [{name: a, image: i}]
                    """
                            .formatted(name));
            rig.awaitPhase(name, "Running");
        }
        agent.close();
        runtime.log.clear();
        rig.delete("deleted");
        rig.send(
                new Request.Delete(
                        AgentRig.PODS, "default", "forced", Optional.empty(), OptionalLong.of(0)));
        agent = NodeAgent.start(rig.options(), rig.cluster, runtime);
        rig.awaitPhase("deleted", "gone");
        Eventually.holds("the others are gone", () -> runtime.sandboxes().size() == 1);
        assertThat(runtime.log).doesNotContain("start a");
        assertThat(
                        rig.status("kept")
                                .objects("containerStatuses")
                                .getFirst()
                                .number("restartCount"))
                .hasValue(0);
    }

    @Test
    void aLostSandboxIsRecreated() throws Exception {
        rig.create(
                """
                metadata: {name: p}
                spec:
                  nodeName: node-1
                  containers: [{name: a, image: i}]
                """);
        rig.awaitPhase("p", "Running");
        runtime.lose(new ObjectRef("default", "p"));
        Eventually.holds(
                "it is counted",
                () ->
                        rig.status("p")
                                        .objects("containerStatuses")
                                        .getFirst()
                                        .number("restartCount")
                                        .orElse(0)
                                == 1);
        rig.awaitPhase("p", "Running");
    }

    @Test
    void variablesAndVolumesComeFromTheCluster() throws Exception {
        rig.create("{kind: ConfigMap, metadata: {name: c}, data: {k: v, f: text}}");
        rig.create("{kind: Secret, metadata: {name: s}, data: {p: c2VjcmV0}}");
        rig.create(
                """
                metadata: {name: p, labels: {app: x}}
                spec:
                  nodeName: node-1
                  volumes:
                  - {name: c, configMap: {name: c}}
                  - {name: e, emptyDir: {}}
                  - name: d
                    downwardAPI: {items: [{path: l, fieldRef: {fieldPath: metadata.labels}}]}
                  containers:
                  - name: a
                    image: i
                    args: ["$(K)-$(P)"]
                    env:
                    - {name: K, valueFrom: {configMapKeyRef: {name: c, key: k}}}
                    - {name: P, valueFrom: {secretKeyRef: {name: s, key: p}}}
                    - {name: NAME, valueFrom: {fieldRef: {fieldPath: metadata.name}}}
                    volumeMounts:
                    - {name: c, mountPath: /c}
                    - {name: e, mountPath: /e}
                    - {name: d, mountPath: /d, readOnly: true}
                """);
        rig.awaitPhase("p", "Running");
        var spec = runtime.spec("a");
        assertThat(spec.arguments()).containsExactly("/run", "v-secret");
        assertThat(spec.env()).extracting("name").contains("K", "P", "NAME");
        var mounts = spec.mounts();
        assertThat(mounts).extracting("container").contains("/c", "/e", "/d");
        for (var mount : mounts) {
            if (mount.container().equals("/c")) {
                assertThat(mount.host().resolve("f")).hasContent("text");
            }
            if (mount.container().equals("/d")) {
                assertThat(mount.host().resolve("l")).hasContent("app=\"x\"");
            }
        }
    }

    private static boolean isEmpty(Path directory) throws IOException {
        try (var all = Files.list(directory)) {
            return all.findAny().isEmpty();
        }
    }

    private void awaitEvent(String reason, String text) throws Exception {
        Eventually.holds(
                "event %s is recorded: %s".formatted(reason, text),
                () ->
                        events.all().stream()
                                .anyMatch(one ->
                                        one.text("reason").equals(reason)
                                                && one.text("message").contains(text)));
    }
}
