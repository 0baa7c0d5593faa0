package dev.berth.control.events;

import static dev.berth.control.events.EventStoryCluster.BUDGETS;
import static dev.berth.control.events.EventStoryCluster.DEPLOYMENTS;
import static dev.berth.control.events.EventStoryCluster.JOBS;
import static dev.berth.control.events.EventStoryCluster.PODS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.RequestResult;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// PodDisruptionBudgets with evictions, as `kubectl drain` sends them.
class DisruptionBudgetStoryTest {

    @TempDir Path directory = Path.of("");
    private EventStoryCluster cluster;

    @BeforeEach
    void open() {
        cluster = new EventStoryCluster(directory);
    }

    @AfterEach
    void close() {
        cluster.close();
    }

    private void budget(String name, String amount) {
        cluster.create(
                BUDGETS,
                """
                apiVersion: policy/v1
                kind: PodDisruptionBudget
                metadata: {name: %s}
                spec:
                  %s
                  selector: {matchLabels: {app: web}}
                """
                        .formatted(name, amount));
    }

    private void deployment(int replicas) {
        cluster.create(
                DEPLOYMENTS,
                """
                apiVersion: apps/v1
                kind: Deployment
                metadata: {name: web}
                spec:
                  replicas: %d
                  selector: {matchLabels: {app: web}}
                  template:
                    metadata: {labels: {app: web}}
                    spec: {containers: [{name: main, image: one}]}
                """
                        .formatted(replicas));
        cluster.until("pods", () -> cluster.pods().size() == replicas);
    }

    private void pod(String name) {
        cluster.create(
                PODS,
                """
                apiVersion: v1
                kind: Pod
                metadata: {name: %s, labels: {app: web}}
                spec: {containers: [{name: main, image: one}]}
                """
                        .formatted(name));
    }

    /// Allowed disruptions, healthy pods, desired healthy pods and expected pods.
    private String status(String name) {
        var status = cluster.status(BUDGETS, name);
        return "allowed %d, healthy %d of %d, expected %d"
                .formatted(
                        status.number("disruptionsAllowed").orElse(-1),
                        status.number("currentHealthy").orElse(-1),
                        status.number("desiredHealthy").orElse(-1),
                        status.number("expectedPods").orElse(-1));
    }

    private void untilStatus(String expected) {
        cluster.until(expected, () -> status("b").equals(expected));
    }

    @Test
    void evictionsStopAtTheBudgetAndContinueWhenPodsAreReady() {
        deployment(3);
        budget("b", "minAvailable: 2");
        untilStatus("allowed 0, healthy 0 of 2, expected 3");
        assertThat(cluster.condition(BUDGETS, "b", "DisruptionAllowed"))
                .isEqualTo("False InsufficientPods: ");
        cluster.pods().forEach(cluster::ready);
        untilStatus("allowed 1, healthy 3 of 2, expected 3");
        assertThat(cluster.condition(BUDGETS, "b", "DisruptionAllowed"))
                .isEqualTo("True SufficientPods: ");
        assertThat(cluster.status(BUDGETS, "b").number("observedGeneration")).hasValue(1);

        var pods = cluster.pods();
        assertThat(cluster.evict(pods.getFirst())).isInstanceOf(RequestResult.Done.class);
        var refused = cluster.evict(pods.getLast());
        assertThat(refused.message()).contains("Cannot evict pod as it would violate");

        cluster.until("replacement", () -> !cluster.pods().contains(pods.getFirst()));
        untilStatus("allowed 0, healthy 2 of 2, expected 3");
        assertThat(cluster.status(BUDGETS, "b").has("disruptedPods")).isFalse();
        assertThat(cluster.evict(pods.getLast()).isDone()).isFalse();

        cluster.until("three pods", () -> cluster.pods().size() == 3);
        cluster.pods().stream().filter(pod -> !pods.contains(pod)).forEach(cluster::ready);
        untilStatus("allowed 1, healthy 3 of 2, expected 3");
        assertThat(cluster.evict(pods.getLast()).isDone()).isTrue();
    }

    @Test
    void percentagesCountTheReplicasOfTheDeployment() {
        deployment(3);
        budget("b", "maxUnavailable: 34%");
        cluster.pods().forEach(cluster::ready);
        untilStatus("allowed 2, healthy 3 of 1, expected 3");
        cluster.patch(BUDGETS, "b", "spec: {maxUnavailable: null, minAvailable: 34%}");
        untilStatus("allowed 1, healthy 3 of 2, expected 3");
        assertThat(cluster.status(BUDGETS, "b").number("observedGeneration")).hasValue(2);
    }

    @Test
    void budgetOfAJobAllowsNoEviction() {
        cluster.create(
                JOBS,
                """
                apiVersion: batch/v1
                kind: Job
                metadata: {name: job}
                spec:
                  template:
                    metadata: {labels: {app: web}}
                    spec: {restartPolicy: Never, containers: [{name: main, image: x}]}
                """);
        cluster.until("pod", () -> cluster.pods().size() == 1);
        budget("b", "maxUnavailable: 1");
        var error = "jobs.batch does not implement the scale subresource";
        cluster.until(
                "sync failed",
                () ->
                        cluster.condition(BUDGETS, "b", "DisruptionAllowed")
                                .equals("False SyncFailed: " + error));
        cluster.until("event", () -> !cluster.events("PodDisruptionBudget", "b").isEmpty());
        assertThat(cluster.events("PodDisruptionBudget", "b"))
                .isEqualTo(
                        "Warning CalculateExpectedPodCountFailed controllermanager\n"
                                + "    Failed to"
                                + " calculate the number of expected pods: %s\n".formatted(error));

        cluster.patch(BUDGETS, "b", "spec: {maxUnavailable: null, minAvailable: 1}");
        cluster.ready(cluster.pods().getFirst());
        untilStatus("allowed 0, healthy 1 of 1, expected 1");
        assertThat(cluster.condition(BUDGETS, "b", "DisruptionAllowed"))
                .isEqualTo("False InsufficientPods: ");
    }

    @Test
    void budgetWithoutPodsAllowsNoDisruption() {
        budget("b", "minAvailable: 0");
        cluster.until("event", () -> !cluster.events("PodDisruptionBudget", "b").isEmpty());
        assertThat(cluster.events("PodDisruptionBudget", "b"))
                .isEqualTo("Normal NoPods controllermanager\n    No matching pods found\n");
        assertThat(status("b")).isEqualTo("allowed 0, healthy 0 of 0, expected 0");
    }

    @Test
    void evictedPodThatIsNotDeletedCountsAgainAfterTwoMinutes() {
        for (var name : new String[] {"a", "c"}) {
            pod(name);
            cluster.ready(name);
        }
        budget("b", "minAvailable: 1");
        untilStatus("allowed 1, healthy 2 of 1, expected 2");
        // An eviction whose deletion of the pod failed.
        cluster.patchStatus(
                BUDGETS,
                "b",
                "status: {disruptionsAllowed: 0, disruptedPods: {a: \"%s\"}}"
                        .formatted(cluster.now()));
        untilStatus("allowed 0, healthy 1 of 1, expected 2");
        cluster.advance(Duration.ofMinutes(2).plusSeconds(1));
        untilStatus("allowed 1, healthy 2 of 1, expected 2");

        cluster.until("event", () -> !cluster.events("Pod", "a").isEmpty());
        assertThat(cluster.events("Pod", "a"))
                .isEqualTo(
                        "Warning NotDeleted controllermanager\n"
                                + "    Pod was expected by PDB default/b to"
                                + " be deleted but it wasn't\n");
        assertThat(cluster.status(BUDGETS, "b").has("disruptedPods")).isFalse();
    }

    @Test
    void podOfTwoBudgetsIsReported() {
        budget("a", "minAvailable: 1");
        budget("b", "minAvailable: 1");
        cluster.until(
                "events", () -> cluster.events("PodDisruptionBudget", "b").contains("NoPods"));
        pod("p");
        cluster.until("event", () -> !cluster.events("Pod", "p").isEmpty());
        assertThat(cluster.events("Pod", "p"))
                .isEqualTo(
                        "Warning MultiplePodDisruptionBudgets controllermanager\n"
                                + "    Pod \"default\"/\"p\""
                                + " matches multiple PodDisruptionBudgets.  Chose \"a\""
                                + " arbitrarily.\n");
    }

    @Test
    void evictedPodHasTheConditionDisruptionTarget() {
        pod("p");
        cluster.bind("p", "node-1");
        cluster.ready("p");
        assertThat(cluster.evict("p").isDone()).isTrue();
        assertThat(cluster.condition(PODS, "p", "DisruptionTarget"))
                .isEqualTo("True EvictionByEvictionAPI: Eviction API: evicting");
        assertThat(cluster.get(PODS, "p").objectOrEmpty("metadata").has("deletionTimestamp"))
                .isTrue();
    }

    @Test
    void disruptionTargetWithoutDeletionBecomesFalse() {
        pod("p");
        cluster.patchStatus(
                PODS,
                "p",
                """
                status:
                  phase: Running
                  conditions:
                  - type: DisruptionTarget
                    status: "True"
                    reason: EvictionByEvictionAPI
                    lastTransitionTime: "%s"
                """
                        .formatted(cluster.now()));
        cluster.advance(Duration.ofMinutes(2).plusSeconds(1));
        cluster.until(
                "condition is False",
                () -> cluster.condition(PODS, "p", "DisruptionTarget").startsWith("False"));
    }
}
