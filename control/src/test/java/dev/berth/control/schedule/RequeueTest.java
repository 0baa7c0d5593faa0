package dev.berth.control.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.Request;
import dev.berth.client.ResourcePath;
import dev.berth.model.codec.Kinds;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Unschedulable pods are queued again as soon as a change may help.
class RequeueTest {

    @TempDir Path directory = Path.of("");
    private SchedulingRig rig;

    @BeforeEach
    void start() {
        rig = new SchedulingRig(directory);
        rig.node("a");
        rig.deviceClass();
    }

    @AfterEach
    void stop() {
        rig.close();
    }

    private void pod(String name, String labels, String spec) {
        rig.create(
                """
                apiVersion: v1
                kind: Pod
                metadata: {name: %s, labels: {%s}}
                spec: {schedulerName: berth, containers: [{name: c, image: i}], %s}
                """
                        .formatted(name, labels, spec));
    }

    @Test
    void aLabelChangeRequeuesPodsWithAffinityToThePod() {
        rig.schedule();
        pod("old", "app: red", "enableServiceLinks: false");
        rig.awaitNode("old");
        pod(
                "new",
                "app: blue",
                "affinity: {podAffinity: {requiredDuringSchedulingIgnoredDuringExecution: ["
                        + "{topologyKey: kubernetes.io/hostname,"
                        + " labelSelector: {matchLabels: {app: green}}}]}}");
        rig.awaitRejection("new");
        var labels = JsonObject.of("labels", JsonObject.of("app", Json.of("green")));
        rig.cluster()
                .send(
                        new Request.Patch(
                                ResourcePath.of(Kinds.POD),
                                "default",
                                "old",
                                "",
                                Request.PatchType.MERGE,
                                JsonObject.of("metadata", labels)));

        assertThat(rig.awaitNode("new")).isEqualTo("a");
    }

    @Test
    void aDeletedNodeRequeuesPodsWithSpreadConstraints() {
        rig.create(
                """
                apiVersion: v1
                kind: Node
                metadata: {name: b, labels: {kubernetes.io/hostname: b}}
                spec: {unschedulable: true}
                status: {allocatable: {cpu: "4", memory: 32Gi, pods: "110"}}
                """);
        rig.schedule();
        var spread =
                "topologySpreadConstraints: [{maxSkew: 1, topologyKey: kubernetes.io/hostname,"
                        + " whenUnsatisfiable: DoNotSchedule,"
                        + " labelSelector: {matchLabels: {app: red}}}]";
        pod("one", "app: red", spread);
        rig.awaitNode("one");
        pod("two", "app: red", spread);
        rig.awaitRejection("two");
        rig.delete(ResourcePath.of(Kinds.NODE), "", "b");

        assertThat(rig.awaitNode("two")).isEqualTo("a");
    }
}
