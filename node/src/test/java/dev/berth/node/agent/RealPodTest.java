package dev.berth.node.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.berth.client.Request;
import dev.berth.client.ResourcePath;
import dev.berth.client.cache.ObjectCache;
import dev.berth.harness.Eventually;
import dev.berth.model.json.JsonObject;
import dev.berth.node.driver.CountingDriver;
import dev.berth.node.driver.DriverHost;
import dev.berth.node.driver.DriverOptions;
import dev.berth.node.driver.DriverRig;
import dev.berth.node.image.BusyboxImage;
import dev.berth.node.image.ImageStore;
import dev.berth.node.oci.OciOptions;
import dev.berth.node.oci.OciRuntime;
import dev.berth.node.oci.PodAddresses;
import dev.berth.node.runtime.LogLimits;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// The agent with a real API server and real containers.
class RealPodTest {

    private final ObjectCache<JsonObject> events = ObjectCache.ofJson();
    private Path directory;
    private AgentRig rig;
    private OciOptions settings;
    private OciRuntime runtime;
    private NodeAgent agent;

    @BeforeEach
    void start() throws Exception {
        assumeTrue(System.getProperty("user.name").equals("root"), "containers need root");
        assumeTrue(
                Files.exists(Path.of("/usr/sbin/runc")) && Files.exists(Path.of("/usr/bin/conmon")),
                "runc and conmon are missing: apt-get install runc conmon");
        assumeTrue(BusyboxImage.isPossible(), "/bin/busybox is missing (busybox-static)");
        directory = Files.createTempDirectory("ag");
        rig = new AgentRig(directory);
        rig.cluster.watch(ResourcePath.EVENTS, "", events);
        settings =
                new OciOptions(
                        rig.root,
                        "berth-" + directory.getFileName(),
                        PodAddresses.parse("10.189.0.0/16"),
                        List.of(directory.resolve("cdi")));
        new ImageStore(OciOptions.images(rig.root), Clock.systemUTC())
                .add(
                        BusyboxImage.write(directory.resolve("busybox.tar")),
                        ImageStore.ImportRequest.NONE);
        runtime = OciRuntime.start(settings, Clock.systemUTC());
        agent = NodeAgent.start(rig.options(), rig.cluster, runtime);
    }

    @AfterEach
    void stop() throws Exception {
        if (rig == null) {
            return;
        }
        agent.close();
        for (var sandbox : runtime.sandboxes()) {
            runtime.removeSandbox(sandbox.id());
        }
        runtime.close();
        rig.close();
        try (var all = Files.walk(directory)) {
            all.sorted(Comparator.reverseOrder()).forEach(path -> path.toFile().delete());
        }
    }

    @Test
    void aPodRunsToItsEnd() throws Exception {
        rig.create("{kind: ConfigMap, metadata: {name: c}, data: {f: text}}");
        rig.create(
                """
                metadata: {name: p}
                spec:
                  nodeName: node-1
                  restartPolicy: Never
                  volumes:
                  - {name: share, emptyDir: {medium: Memory}}
                  - {name: c, configMap: {name: c}}
                  initContainers:
                  - name: first
                    image: busybox
                    command: [sh, -c, 'cat /c/f > /share/x']
                    volumeMounts: [{name: share, mountPath: /share}, {name: c, mountPath: /c}]
                  containers:
                  - name: a
                    image: busybox
                    command:
                    - sh
                    - -c
                    - echo $(cat /share/x); hostname; echo bye > /dev/termination-log; exit 4
                    volumeMounts: [{name: share, mountPath: /share}]
                """);
        rig.awaitPhase("p", "Failed");
        var end =
                rig.status("p")
                        .objects("containerStatuses")
                        .getFirst()
                        .objectOrEmpty("state")
                        .objectOrEmpty("terminated");
        assertThat(end.number("exitCode")).hasValue(4);
        assertThat(end.text("message")).isEqualTo("bye\n");
        assertThat(log("p", "a")).containsExactly("text", "p");
        assertThat(runtime.sandboxes()).isEmpty();
        assertThat(mounts()).isEmpty();
    }

    @Test
    void probesDecideOnReadinessAndRestarts() throws Exception {
        rig.create(
                """
                metadata: {name: p}
                spec:
                  nodeName: node-1
                  terminationGracePeriodSeconds: 1
                  containers:
                  - name: a
                    image: busybox
                    command: [sh, -c, 'sleep 1; touch /ready; sleep 1000']
                    readinessProbe: {exec: {command: [cat, /ready]}, periodSeconds: 1}
                    livenessProbe:
                      exec: {command: [sh, -c, '! test -e /dead']}
                      periodSeconds: 1
                      failureThreshold: 1
                """);
        Eventually.holds("it is ready", () -> isReady("p"));
        var container = runtime.containers().getFirst().id();
        var _ = runtime.run(container, List.of("touch", "/dead"), Duration.ofSeconds(10));
        Eventually.holds(
                "it is started again",
                () ->
                        rig.status("p")
                                        .objects("containerStatuses")
                                        .getFirst()
                                        .number("restartCount")
                                        .orElse(0)
                                == 1);
        Eventually.holds("it is ready again", () -> isReady("p"));
        awaitEvent("Killing", "Container a failed liveness probe, will be restarted");
        rig.delete("p");
        rig.awaitPhase("p", "gone");
        Eventually.holds("nothing is left", () -> runtime.sandboxes().isEmpty());
    }

    @Test
    void aClaimIsPreparedAndUnprepared() throws Exception {
        var driver = new CountingDriver();
        rig.send(
                Request.Create.of(
                        new ResourcePath("resource.k8s.io", "v1", "resourceclaims"),
                        "default",
                        DriverRig.tree(
                                "{metadata: {name: c}, spec: {devices: {requests: [{name: g,"
                                        + " exactly: {deviceClassName: any}}]}}}")));
        var pod =
                rig.create(
                        """
                        metadata: {name: p}
                        spec:
                          nodeName: node-1
                          terminationGracePeriodSeconds: 1
                          resourceClaims: [{name: gpu, resourceClaimName: c}]
                          containers:
                          - name: a
                            image: busybox
                            command: [sh, -c, 'env | grep GPU; sleep 1000']
                            resources: {claims: [{name: gpu}]}
                        """);
        awaitEvent(
                "FailedPrepareDynamicResources",
                "Failed to prepare dynamic resources: prepare dynamic resources: ");
        allocate(pod.objectOrEmpty("metadata").text("uid"));
        awaitEvent("FailedPrepareDynamicResources", "DRA driver gpu.example.com is not registered");
        var options =
                DriverOptions.of("gpu.example.com", "node-1")
                        .withDirectories(
                                rig.options().registry(),
                                rig.options().plugins().resolve("gpu.example.com"),
                                directory.resolve("cdi"));
        try (var _ = DriverHost.start(options, rig.cluster, driver)) {
            rig.awaitPhase("p", "Running");
            assertThat(driver.prepared).hasSize(1);
            assertThat(
                            rig.status("p")
                                    .objects("containerStatuses")
                                    .getFirst()
                                    .objects("allocatedResourcesStatus"))
                    .hasSize(1);
            rig.delete("p");
            rig.awaitPhase("p", "gone");
            assertThat(driver.unprepared).hasSize(1);
            assertThat(agent.claimStates()).isEqualTo(NodeClaimStates.NONE);
        }
    }

    private void allocate(String pod) {
        var claims = new ResourcePath("resource.k8s.io", "v1", "resourceclaims");
        var claim = rig.send(new Request.Get(claims, "default", "c"));
        rig.send(
                new Request.Update(
                        claims,
                        "default",
                        "c",
                        "status",
                        claim.with(
                                "status",
                                DriverRig.tree(
                                        """
                                        allocation:
                                          devices:
                                            results:
                                            - request: g
                                              driver: gpu.example.com
                                              pool: node-1
                                              device: gpu-0
                                        reservedFor: [{resource: pods, name: p, uid: %s}]
                                        """
                                                .formatted(pod)))));
    }

    @Test
    void containersOutliveTheAgent() throws Exception {
        for (var name : List.of("kept", "forced")) {
            rig.create(
                    """
                    metadata: {name: %s}
                    spec:
                      nodeName: node-1
                      terminationGracePeriodSeconds: 1
                      containers: [{name: a, image: busybox, command: [sleep, '1000']}]
                    """
                            .formatted(name));
            rig.awaitPhase(name, "Running");
        }
        agent.close();
        runtime.close();
        rig.send(
                new Request.Delete(
                        AgentRig.PODS, "default", "forced", Optional.empty(), OptionalLong.of(0)));
        runtime = OciRuntime.start(settings, Clock.systemUTC());
        assertThat(runtime.containers()).hasSize(2);
        agent = NodeAgent.start(rig.options(), rig.cluster, runtime);
        Eventually.holds("the orphan is gone", () -> runtime.sandboxes().size() == 1);
        assertThat(rig.phase("kept")).isEqualTo("Running");
        assertThat(runtime.containers()).hasSize(1);
        assertThat(runtime.containers().getFirst().attempt()).isZero();
    }

    @Test
    void aContainerNeverStartsWithoutItsSecurityContext() throws Exception {
        securedPod("seccomp", "", "seccompProfile: {type: Localhost, localhostProfile: no.json}");
        securedPod("users", "hostUsers: false", "");
        securedPod("root", "securityContext: {runAsNonRoot: true}", "");
        awaitWaiting("seccomp", "CreateContainerError", "does not exist on this node");
        awaitWaiting("users", "CreateContainerError", "requires a user namespace");
        awaitWaiting("root", "CreateContainerConfigError", "image will run as root");
        awaitEvent("Failed", "Error: container users: hostUsers: false");
        assertThat(runtime.containers()).isEmpty();
    }

    private void securedPod(String name, String ofPod, String ofContainer) {
        rig.create(
                """
                metadata: {name: %s}
                spec:
                  nodeName: node-1
                  %s
                  containers:
                  - {name: %s, image: busybox, command: ['true'], securityContext: {%s}}
                """
                        .formatted(name, ofPod, name, ofContainer));
    }

    private void awaitWaiting(String pod, String reason, String message) throws Exception {
        Eventually.holds(
                "%s: %s".formatted(pod, message),
                () ->
                        rig.status(pod).objects("containerStatuses").stream()
                                .map(one -> one.objectOrEmpty("state").objectOrEmpty("waiting"))
                                .anyMatch(one ->
                                        one.text("reason").equals(reason)
                                                && one.text("message").contains(message)));
    }

    @Test
    void logsAreRotatedAndDeletedWithTheirPod() throws Exception {
        agent.close();
        var policy = new ContainerPolicy(new LogLimits(64 << 10, 2), false);
        agent = NodeAgent.start(rig.options().withContainers(policy), rig.cluster, runtime);
        rig.create(
                """
                metadata: {name: p}
                spec:
                  nodeName: node-1
                  terminationGracePeriodSeconds: 1
                  containers:
                  - name: a
                    image: busybox
                    command: [sh, -c, 'while seq 1000; do sleep 0.1; done']
                """);
        Eventually.holds("it is rotated twice", () -> logFiles().contains("0.log.2"));
        Eventually.holds("two are kept", () -> !logFiles().contains("0.log.1"));
        rig.delete("p");
        rig.awaitPhase("p", "gone");
        Eventually.holds("all are deleted", () -> logFiles().isEmpty());
    }

    private List<String> logFiles() {
        try (var all = Files.walk(rig.options().logs())) {
            return all.filter(Files::isRegularFile)
                    .map(one -> one.getFileName().toString())
                    .toList();
        } catch (IOException | UncheckedIOException _) {
            return List.of("files that change while they are listed");
        }
    }

    private boolean isReady(String pod) {
        return rig.status(pod).objects("conditions").stream()
                .anyMatch(one ->
                        one.text("type").equals("Ready") && one.text("status").equals("True"));
    }

    private List<String> log(String pod, String container) throws IOException {
        var uid = rig.pod(pod).orElseThrow().objectOrEmpty("metadata").text("uid");
        var file =
                rig.options()
                        .logs()
                        .resolve("default_%s_%s".formatted(pod, uid))
                        .resolve(container)
                        .resolve("0.log");
        return Files.readAllLines(file).stream().map(line -> line.split(" ", 4)[3]).toList();
    }

    private List<String> mounts() throws IOException {
        return Files.readAllLines(Path.of("/proc/self/mounts")).stream()
                .filter(line -> line.contains(rig.root.toString()))
                .toList();
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
