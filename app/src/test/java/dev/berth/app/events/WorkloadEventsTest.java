package dev.berth.app.events;

import static dev.berth.app.events.EventStoryCluster.DEPLOYMENTS;
import static dev.berth.app.events.EventStoryCluster.JOBS;
import static dev.berth.app.events.EventStoryCluster.QUOTAS;
import static dev.berth.app.events.EventStoryCluster.REPLICA_SETS;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Events and statuses of workloads, in particular while pods cannot be created.
class WorkloadEventsTest {

    private static final String QUOTA_ERROR =
            "pods \"web-#-*\" is forbidden: exceeded quota: q, requested: pods=1, used: pods=2,"
                    + " limited: pods=2";

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

    private void quota(int pods) {
        cluster.create(
                QUOTAS,
                """
                apiVersion: v1
                kind: ResourceQuota
                metadata: {name: q}
                spec: {hard: {pods: %d}}
                """
                        .formatted(pods));
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
    }

    private void job(String more) {
        cluster.create(
                JOBS,
                """
                apiVersion: batch/v1
                kind: Job
                metadata: {name: job}
                spec:
                  %s
                  template:
                    spec:
                      restartPolicy: Never
                      containers: [{name: main, image: x}]
                """
                        .formatted(more));
    }

    private String replicaSet() {
        return cluster.list(REPLICA_SETS).getFirst().objectOrEmpty("metadata").text("name");
    }

    private boolean hasEvent(String kind, String text) {
        return cluster.events(kind, "").contains(text);
    }

    @Test
    void deploymentThatIsScaledRecordsEachChange() {
        deployment(2);
        cluster.until("two pods", () -> cluster.pods().size() == 2);
        cluster.patch(DEPLOYMENTS, "web", "spec: {replicas: 3}");
        cluster.until("three pods", () -> cluster.pods().size() == 3);
        cluster.patch(DEPLOYMENTS, "web", "spec: {replicas: 1}");
        cluster.until("two deletions", () -> hasEvent("ReplicaSet", "2x Normal SuccessfulDelete"));

        assertThat(cluster.events("Deployment", "web"))
                .isEqualTo(
                        """
                        Normal ScalingReplicaSet deployment-controller
                            Scaled down replica set web-# from 3 to 1
                        Normal ScalingReplicaSet deployment-controller
                            Scaled up replica set web-# from 0 to 2
                        Normal ScalingReplicaSet deployment-controller
                            Scaled up replica set web-# from 2 to 3
                        """);
        assertThat(cluster.events("ReplicaSet", "web"))
                .isEqualTo(
                        """
                        3x Normal SuccessfulCreate replicaset-controller
                            Created pod: web-#-*
                        2x Normal SuccessfulDelete replicaset-controller
                            Deleted pod: web-#-*
                        """);
    }

    @Test
    void quotaThatIsExceededIsReportedOnReplicaSetAndDeployment() {
        quota(2);
        deployment(3);
        cluster.until("combined", () -> hasEvent("ReplicaSet", "combined from similar events"));
        cluster.until(
                "failure of the Deployment",
                () -> !cluster.condition(DEPLOYMENTS, "web", "ReplicaFailure").isEmpty());

        assertThat(cluster.events("ReplicaSet", "web"))
                .isEqualTo(
                        """
                        2x Normal SuccessfulCreate replicaset-controller
                            Created pod: web-#-*
                        Warning FailedCreate replicaset-controller
                            (combined from similar events): Error creating: ERROR
                        9x Warning FailedCreate replicaset-controller
                            Error creating: ERROR
                        """
                                .replace("ERROR", QUOTA_ERROR));
        var failure = cluster.condition(REPLICA_SETS, replicaSet(), "ReplicaFailure");
        assertThat(failure)
                .startsWith("True FailedCreate: pods \"web-")
                .endsWith("exceeded quota: q, requested: pods=1, used: pods=2, limited: pods=2");
        assertThat(cluster.condition(DEPLOYMENTS, "web", "ReplicaFailure")).isEqualTo(failure);
        assertThat(cluster.status(REPLICA_SETS, replicaSet()).number("replicas")).hasValue(2);
        assertThat(cluster.status(DEPLOYMENTS, "web").number("replicas")).hasValue(2);
        assertThat(cluster.status(DEPLOYMENTS, "web").number("unavailableReplicas")).hasValue(3);
    }

    @Test
    void failureIsRemovedWhenPodsCanBeCreatedAgain() {
        quota(1);
        deployment(2);
        cluster.until(
                "failure",
                () -> !cluster.condition(DEPLOYMENTS, "web", "ReplicaFailure").isEmpty());

        cluster.patch(QUOTAS, "q", "spec: {hard: {pods: 5}}");
        cluster.until("two pods", () -> cluster.pods().size() == 2);
        cluster.until(
                "no failure of the ReplicaSet",
                () -> cluster.condition(REPLICA_SETS, replicaSet(), "ReplicaFailure").isEmpty());
        cluster.until(
                "no failure of the Deployment",
                () -> cluster.condition(DEPLOYMENTS, "web", "ReplicaFailure").isEmpty());
        assertThat(cluster.status(REPLICA_SETS, replicaSet()).has("conditions")).isFalse();
    }

    @Test
    void replicaSetThatCannotBeCreatedIsReportedOnTheDeployment() {
        cluster.create(
                QUOTAS,
                """
                apiVersion: v1
                kind: ResourceQuota
                metadata: {name: q}
                spec: {hard: {count/replicasets.apps: 0}}
                """);
        deployment(1);
        cluster.until(
                "error",
                () -> cluster.condition(DEPLOYMENTS, "web", "Progressing").startsWith("False"));
        cluster.until("event", () -> hasEvent("Deployment", "ReplicaSetCreateError"));

        var error =
                "Failed to create new replica set \"web-#\": replicasets.apps \"web-#\" is"
                        + " forbidden: exceeded quota: q, requested: count/replicasets.apps=1,"
                        + " used: count/replicasets.apps=0, limited: count/replicasets.apps=0";
        assertThat(cluster.events("Deployment", "web"))
                .isEqualTo(
                        "Warning ReplicaSetCreateError deployment-controller\n"
                                + "    %s\n".formatted(error));
        assertThat(cluster.condition(DEPLOYMENTS, "web", "Progressing"))
                .startsWith("False ReplicaSetCreateError: Failed to create new replica set \"web-");
    }

    @Test
    void jobRecordsItsPodsAndItsFailure() {
        job("backoffLimit: 1");
        for (var pods = 1; pods <= 2; pods++) {
            var created = pods;
            cluster.until("pod", () -> cluster.pods().size() == created);
            cluster.pods().forEach(pod -> cluster.phase(pod, "Failed"));
        }
        cluster.until("failed", () -> hasEvent("Job", "BackoffLimitExceeded"));

        assertThat(cluster.events("Job", "job"))
                .isEqualTo(
                        """
                        2x Normal SuccessfulCreate job-controller
                            Created pod: job-*
                        Warning BackoffLimitExceeded job-controller
                            Job has reached the specified backoff limit
                        """);
        assertThat(cluster.condition(JOBS, "job", "Failed"))
                .isEqualTo(
                        "True BackoffLimitExceeded: Job has reached the specified backoff limit");
    }

    @Test
    void jobRecordsItsCompletion() {
        job("completions: 1");
        cluster.until("pod", () -> cluster.pods().size() == 1);
        cluster.phase(cluster.pods().getFirst(), "Succeeded");
        cluster.until("completed", () -> hasEvent("Job", "Completed"));

        assertThat(cluster.events("Job", "job"))
                .isEqualTo(
                        """
                        Normal Completed job-controller
                            Job completed
                        Normal SuccessfulCreate job-controller
                            Created pod: job-*
                        """);
        assertThat(cluster.condition(JOBS, "job", "Complete"))
                .isEqualTo("True CompletionsReached: Reached expected number of succeeded pods");
    }

    @Test
    void jobWhosePodsCannotBeCreatedHasAStatus() {
        quota(0);
        job("parallelism: 2");
        cluster.until("combined", () -> hasEvent("Job", "combined from similar events"));

        assertThat(cluster.events("Job", "job"))
                .contains(
                        "9x Warning FailedCreate job-controller\n"
                                + "    Error creating: pods \"job-*\" is"
                                + " forbidden: exceeded quota: q, requested: pods=1, used: pods=0,"
                                + " limited: pods=0");
        var status = cluster.status(JOBS, "job");
        assertThat(status.has("startTime")).isTrue();
        assertThat(status.number("active").orElse(0)).isZero();
        assertThat(status.objects("conditions")).isEmpty();

        cluster.delete(QUOTAS, "default", "q");
        cluster.until("two pods", () -> cluster.pods().size() == 2);
        cluster.until("active", () -> cluster.status(JOBS, "job").number("active").orElse(0) == 2);
    }

    @Test
    void jobIsSuspendedAndResumed() {
        job("suspend: false");
        cluster.until("pod", () -> cluster.pods().size() == 1);
        cluster.until("start", () -> cluster.status(JOBS, "job").has("startTime"));
        cluster.patch(JOBS, "job", "spec: {suspend: true}");
        cluster.until("suspended", () -> hasEvent("Job", "Normal Suspended"));
        assertThat(cluster.condition(JOBS, "job", "Suspended"))
                .isEqualTo("True JobSuspended: Job suspended");
        assertThat(cluster.status(JOBS, "job").has("startTime")).isFalse();

        cluster.advance(Duration.ofMinutes(1));
        cluster.patch(JOBS, "job", "spec: {suspend: false}");
        cluster.until("resumed", () -> hasEvent("Job", "Normal Resumed"));
        cluster.until("new pod", () -> cluster.pods().size() == 1);
        assertThat(cluster.condition(JOBS, "job", "Suspended"))
                .isEqualTo("False JobResumed: Job resumed");
        assertThat(cluster.status(JOBS, "job").has("startTime")).isTrue();
        cluster.until("events", () -> hasEvent("Job", "2x Normal SuccessfulCreate"));
        assertThat(cluster.events("Job", "job"))
                .isEqualTo(
                        """
                        Normal Resumed job-controller
                            Job resumed
                        2x Normal SuccessfulCreate job-controller
                            Created pod: job-*
                        Normal SuccessfulDelete job-controller
                            Deleted pod: job-*
                        Normal Suspended job-controller
                            Job suspended
                        """);
    }
}
