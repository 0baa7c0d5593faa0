package dev.berth.control;

import static dev.berth.control.ControlledCluster.PODS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.ResourcePath;
import dev.berth.core.admission.gate.FeatureGates;
import dev.berth.model.codec.Kinds;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClaimLifecycleTest {

    private static final ResourcePath CLAIMS = ResourcePath.of(Kinds.RESOURCE_CLAIM);
    private static final ResourcePath TEMPLATES = ResourcePath.of(Kinds.RESOURCE_CLAIM_TEMPLATE);

    private static final String TEMPLATE =
            """
            apiVersion: resource.k8s.io/v1
            kind: ResourceClaimTemplate
            metadata: {name: one-gpu}
            spec:
              metadata: {labels: {made: here}}
              spec:
                devices:
                  requests: [{name: gpu, exactly: {deviceClassName: gpu}}]
            """;
    private static final String CLAIM =
            """
            apiVersion: resource.k8s.io/v1
            kind: ResourceClaim
            metadata: {name: shared}
            spec:
              devices:
                requests: [{name: gpu, exactly: {deviceClassName: gpu}}]
            """;

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

    private static String pod(String name, String source) {
        return """
        apiVersion: v1
        kind: Pod
        metadata: {name: %s}
        spec:
          resourceClaims: [{name: gpu, %s}]
          containers:
          - {name: main, image: x, resources: {claims: [{name: gpu}]}}
        """
                .formatted(name, source);
    }

    private String awaitClaimOf(String pod) {
        cluster.until("claim of " + pod, () -> claimName(pod).isPresent());
        return claimName(pod).orElseThrow();
    }

    private Optional<String> claimName(String pod) {
        return cluster
                .get(PODS, "default", pod)
                .objectOrEmpty("status")
                .objects("resourceClaimStatuses")
                .stream()
                .findFirst()
                .flatMap(status -> status.string("resourceClaimName"));
    }

    private void allocate(String claim, String... pods) {
        var current = cluster.get(CLAIMS, "default", claim);
        cluster.patch(
                CLAIMS,
                "default",
                claim,
                "metadata: {finalizers: [resource.kubernetes.io/delete-protection]}");
        var users =
                Arrays.stream(pods)
                        .map(pod ->
                                JsonObject.of("resource", Json.of("pods"))
                                        .with("name", Json.of(pod))
                                        .with("uid", Json.of(uid(pod))))
                        .toList();
        var device =
                JsonObject.of("request", Json.of("gpu"))
                        .with("driver", Json.of("gpu.example.com"))
                        .with("pool", Json.of("node-1"))
                        .with("device", Json.of("gpu-0"));
        cluster.patchStatus(
                CLAIMS,
                "default",
                current.objectOrEmpty("metadata").text("name"),
                JsonObject.of("reservedFor", Json.array(users))
                        .with(
                                "allocation",
                                JsonObject.of(
                                        "devices", JsonObject.of("results", Json.array(device)))));
    }

    private String uid(String pod) {
        return cluster.get(PODS, "default", pod).objectOrEmpty("metadata").text("uid");
    }

    private JsonObject status(String claim) {
        return cluster.get(CLAIMS, "default", claim).objectOrEmpty("status");
    }

    @Test
    void podWithTemplateGetsItsClaim() {
        cluster.create(TEMPLATES, "default", TEMPLATE);
        cluster.create(PODS, "default", pod("p", "resourceClaimTemplateName: one-gpu"));

        var claim = cluster.get(CLAIMS, "default", awaitClaimOf("p"));

        var metadata = claim.objectOrEmpty("metadata");
        assertThat(metadata.text("name")).startsWith("p-gpu-").hasSize("p-gpu-".length() + 5);
        assertThat(metadata.objectOrEmpty("annotations"))
                .isEqualTo(JsonObject.of("resource.kubernetes.io/pod-claim-name", Json.of("gpu")));
        assertThat(metadata.objectOrEmpty("labels"))
                .isEqualTo(JsonObject.of("made", Json.of("here")));
        var owner = metadata.objects("ownerReferences").getFirst();
        assertThat(owner.text("uid")).isEqualTo(uid("p"));
        assertThat(owner.flag("controller")).contains(true);
        assertThat(owner.has("blockOwnerDeletion")).isFalse();
    }

    @Test
    void claimIsCreatedOnce() {
        cluster.create(TEMPLATES, "default", TEMPLATE);
        cluster.create(PODS, "default", pod("p", "resourceClaimTemplateName: one-gpu"));
        awaitClaimOf("p");
        cluster.settle();

        assertThat(cluster.list(CLAIMS, "default")).hasSize(1);
    }

    @Test
    void missingTemplateIsReportedAndAwaited() {
        cluster.create(PODS, "default", pod("p", "resourceClaimTemplateName: one-gpu"));
        cluster.until("event", () -> !cluster.list(ResourcePath.EVENTS, "default").isEmpty());

        var event = cluster.list(ResourcePath.EVENTS, "default").getFirst();
        assertThat(event.text("reason")).isEqualTo("FailedResourceClaimCreation");
        assertThat(event.text("message"))
                .startsWith("PodResourceClaim gpu: ")
                .contains("\"one-gpu\" not found");
        assertThat(event.objectOrEmpty("source").text("component")).isEqualTo("resource_claim");

        cluster.create(TEMPLATES, "default", TEMPLATE);
        assertThat(awaitClaimOf("p")).startsWith("p-gpu-");
    }

    @Test
    void claimOfTerminatedPodIsDeleted() {
        cluster.create(TEMPLATES, "default", TEMPLATE);
        cluster.create(PODS, "default", pod("p", "resourceClaimTemplateName: one-gpu"));
        var claim = awaitClaimOf("p");
        allocate(claim, "p");
        cluster.bind("p", "node-1");
        cluster.phase("p", "Succeeded");

        cluster.until("claim deleted", () -> cluster.find(CLAIMS, "default", claim).isEmpty());
        assertThat(cluster.find(PODS, "default", "p")).isPresent();
    }

    @Test
    void claimOfDeletedPodIsDeleted() {
        cluster.create(TEMPLATES, "default", TEMPLATE);
        cluster.create(PODS, "default", pod("p", "resourceClaimTemplateName: one-gpu"));
        var claim = awaitClaimOf("p");
        allocate(claim, "p");
        cluster.delete(PODS, "default", "p");

        cluster.until("claim deleted", () -> cluster.find(CLAIMS, "default", claim).isEmpty());
    }

    @Test
    void sharedClaimIsDeallocatedWithItsLastPod() {
        cluster.create(CLAIMS, "default", CLAIM);
        cluster.create(PODS, "default", pod("a", "resourceClaimName: shared"));
        cluster.create(PODS, "default", pod("b", "resourceClaimName: shared"));
        allocate("shared", "a", "b");

        cluster.delete(PODS, "default", "a");
        cluster.until(
                "reservation of a removed",
                () -> status("shared").objects("reservedFor").size() == 1);
        assertThat(status("shared").has("allocation")).isTrue();

        cluster.delete(PODS, "default", "b");
        cluster.until("claim deallocated", () -> !status("shared").has("allocation"));
        cluster.until(
                "finalizer removed",
                () ->
                        cluster.get(CLAIMS, "default", "shared")
                                .objectOrEmpty("metadata")
                                .items("finalizers")
                                .isEmpty());
        assertThat(status("shared").has("reservedFor")).isFalse();
    }

    @Test
    void deletedClaimExistsUntilItsPodIsGone() {
        cluster.create(CLAIMS, "default", CLAIM);
        cluster.create(PODS, "default", pod("a", "resourceClaimName: shared"));
        allocate("shared", "a");
        cluster.delete(CLAIMS, "default", "shared");
        cluster.settle();
        assertThat(cluster.find(CLAIMS, "default", "shared")).isPresent();

        cluster.delete(PODS, "default", "a");
        cluster.until("gone", () -> cluster.find(CLAIMS, "default", "shared").isEmpty());
    }

    @Test
    void podBoundWithoutTheSchedulerGetsItsReservation() {
        cluster.create(CLAIMS, "default", CLAIM);
        cluster.create(PODS, "default", pod("a", "resourceClaimName: shared"));
        allocate("shared");
        cluster.bind("a", "node-1");

        cluster.until("reserved", () -> status("shared").objects("reservedFor").size() == 1);
        assertThat(status("shared").objects("reservedFor").getFirst().text("uid"))
                .isEqualTo(uid("a"));
    }
}
