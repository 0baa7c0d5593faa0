package dev.berth.control.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.Request;
import dev.berth.client.ResourcePath;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NamespaceLabelsTest {

    @TempDir Path directory = Path.of("");

    private SchedulingRig rig;

    @BeforeEach
    void start() {
        rig = new SchedulingRig(directory);
        rig.node("a");
        rig.node("b");
    }

    @AfterEach
    void stop() {
        rig.close();
    }

    @Test
    void affinityUsesNamespaceLabelsAndTheirChanges() {
        rig.create(
                """
                apiVersion: v1
                kind: Pod
                metadata: {name: friend, labels: {app: friend}}
                spec: {nodeName: b, containers: [{name: c, image: i}]}
                """);
        rig.schedule();
        rig.create(
                """
                apiVersion: v1
                kind: Pod
                metadata: {name: p}
                spec:
                  schedulerName: berth
                  containers: [{name: c, image: i}]
                  affinity:
                    podAffinity:
                      requiredDuringSchedulingIgnoredDuringExecution:
                        - topologyKey: kubernetes.io/hostname
                          labelSelector: {matchLabels: {app: friend}}
                          namespaceSelector: {matchLabels: {team: a}}
                """);
        rig.awaitRejection("p");

        var label = JsonObject.of("labels", JsonObject.of("team", Json.of("a")));
        var namespaces = new ResourcePath("", "v1", "namespaces");
        rig.cluster()
                .send(
                        new Request.Patch(
                                namespaces,
                                "",
                                "default",
                                "",
                                Request.PatchType.MERGE,
                                JsonObject.of("metadata", label)));

        assertThat(rig.awaitNode("p")).isEqualTo("b");
    }
}
