package dev.berth.control;

import static dev.berth.control.ControlledCluster.PODS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.ResourcePath;
import dev.berth.core.admission.gate.FeatureGates;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WorkloadTest {

    private static final ResourcePath DEPLOYMENTS = new ResourcePath("apps", "v1", "deployments");
    private static final ResourcePath REPLICA_SETS = new ResourcePath("apps", "v1", "replicasets");
    private static final ResourcePath JOBS = new ResourcePath("batch", "v1", "jobs");

    @TempDir Path directory;
    private ControlledCluster cluster;

    @BeforeEach
    void open() {
        cluster = new ControlledCluster(directory, FeatureGates.defaults());
    }

    @AfterEach
    void close() {
        cluster.close();
    }

    private List<JsonObject> pods() {
        return cluster.list(PODS, "default");
    }

    private List<String> names() {
        return pods().stream().map(pod -> pod.objectOrEmpty("metadata").text("name")).toList();
    }

    private void job(String name, String more) {
        cluster.create(
                JOBS,
                "default",
                """
                apiVersion: batch/v1
                kind: Job
                metadata: {name: %s}
                spec:
                  %s
                  template:
                    spec:
                      restartPolicy: Never
                      containers: [{name: main, image: x}]
                """
                        .formatted(name, more));
    }

    private boolean has(String condition, String job) {
        return cluster
                .get(JOBS, "default", job)
                .objectOrEmpty("status")
                .objects("conditions")
                .stream()
                .anyMatch(one -> one.text("type").equals(condition));
    }

    @Test
    void jobRunsUntilItsCompletions() {
        job("j", "completions: 3\n  parallelism: 2");
        cluster.until("two pods", () -> pods().size() == 2);
        cluster.settle();
        assertThat(pods()).hasSize(2);

        names().forEach(name -> cluster.phase(name, "Succeeded"));
        cluster.until("third pod", () -> pods().size() == 3);
        names().forEach(name -> cluster.phase(name, "Succeeded"));
        cluster.until("complete", () -> has("Complete", "j"));
        assertThat(cluster.get(JOBS, "default", "j").objectOrEmpty("status").number("succeeded"))
                .hasValue(3);
    }

    @Test
    void jobFailsAfterItsBackoffLimit() {
        job("j", "backoffLimit: 1");
        cluster.until("first", () -> pods().size() == 1);
        cluster.phase(names().getFirst(), "Failed");
        cluster.until("second", () -> pods().size() == 2);
        names().forEach(name -> cluster.phase(name, "Failed"));

        cluster.until("failed", () -> has("Failed", "j"));
        cluster.settle();
        assertThat(pods()).hasSize(2);
    }

    private static String deployment(String image, int replicas) {
        return """
        apiVersion: apps/v1
        kind: Deployment
        metadata: {name: d}
        spec:
          replicas: %d
          selector: {matchLabels: {app: d}}
          template:
            metadata: {labels: {app: d}}
            spec: {containers: [{name: main, image: %s}]}
        """
                .formatted(replicas, image);
    }

    @Test
    void deploymentScalesAndItsPodsAreDeletedWithIt() {
        cluster.create(DEPLOYMENTS, "default", deployment("one", 3));
        cluster.until("three pods", () -> pods().size() == 3);
        cluster.settle();
        assertThat(pods()).hasSize(3);
        assertThat(names()).allSatisfy(name -> assertThat(name).startsWith("d-"));

        cluster.patch(DEPLOYMENTS, "default", "d", "spec: {replicas: 1}");
        cluster.until("one pod", () -> pods().size() == 1);

        cluster.delete(DEPLOYMENTS, "default", "d");
        cluster.until("no pods", () -> pods().isEmpty());
        assertThat(cluster.list(REPLICA_SETS, "default")).isEmpty();
    }

    @Test
    void deploymentRollsOutItsNewTemplate() {
        cluster.create(DEPLOYMENTS, "default", deployment("one", 2));
        cluster.until("two pods", () -> pods().size() == 2);

        cluster.patch(
                DEPLOYMENTS,
                "default",
                "d",
                "spec: {template: {spec: {containers: [{name: main, image: two}]}}}");

        cluster.until("only new pods", () -> pods().size() == 2 && areAll("two"));
        assertThat(cluster.list(REPLICA_SETS, "default")).hasSize(2);
    }

    @Test
    void deploymentReportsAvailabilityAndRevision() {
        cluster.create(DEPLOYMENTS, "default", deployment("one", 1));
        cluster.until("a pod", () -> pods().size() == 1);
        cluster.until("not available", () -> condition("Available").text("status").equals("False"));
        ready(names().getFirst());
        cluster.until("available", () -> condition("Available").text("status").equals("True"));
        cluster.until(
                "done",
                () -> condition("Progressing").text("reason").equals("NewReplicaSetAvailable"));

        cluster.patch(
                DEPLOYMENTS,
                "default",
                "d",
                "spec: {template: {spec: {containers: [{name: main, image: two}]}}}");
        cluster.until("second version", () -> revision().equals("2"));
        assertThat(cluster.list(REPLICA_SETS, "default"))
                .extracting(WorkloadTest::revisionOf)
                .containsExactlyInAnyOrder("1", "2");

        cluster.patch(
                DEPLOYMENTS,
                "default",
                "d",
                "spec: {template: {spec: {containers: [{name: main, image: one}]}}}");
        cluster.until("back to the first", () -> revision().equals("3"));
        cluster.until(
                "numbered",
                () ->
                        cluster.list(REPLICA_SETS, "default").stream()
                                .map(WorkloadTest::revisionOf)
                                .toList()
                                .contains("3"));
        assertThat(cluster.list(REPLICA_SETS, "default")).hasSize(2);
    }

    private void ready(String pod) {
        var status =
                ControlledCluster.tree("conditions: [{type: Ready, status: \"True\"}]")
                        .with("phase", Json.of("Running"));
        cluster.patchStatus(PODS, "default", pod, status);
    }

    private JsonObject condition(String type) {
        return cluster
                .get(DEPLOYMENTS, "default", "d")
                .objectOrEmpty("status")
                .objects("conditions")
                .stream()
                .filter(one -> one.text("type").equals(type))
                .findFirst()
                .orElse(JsonObject.EMPTY);
    }

    private String revision() {
        return revisionOf(cluster.get(DEPLOYMENTS, "default", "d"));
    }

    private static String revisionOf(JsonObject object) {
        return object.objectOrEmpty("metadata")
                .objectOrEmpty("annotations")
                .text("deployment.kubernetes.io/revision");
    }

    private boolean areAll(String image) {
        return pods().stream()
                .allMatch(pod ->
                        pod.objectOrEmpty("spec")
                                .objects("containers")
                                .getFirst()
                                .text("image")
                                .equals(image));
    }
}
