package dev.berth.node.pod;

import static dev.berth.node.pod.DecisionFields.conditionTree;
import static dev.berth.node.pod.DecisionFields.stop;
import static dev.berth.node.pod.DecisionFields.terminated;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/// Decisions for pods that terminate.
class PodTerminationTest {

    private static final String ONE = "{containers: [{name: a, image: i}]}";
    private static final String NEVER = "{restartPolicy: Never, containers: [{name: a, image: i}]}";
    private static final Instant START = PodScenario.START;

    @Test
    void aFailedInitContainerFailsAPodThatNeverRestarts() {
        var scenario =
                new PodScenario(
                        "{restartPolicy: Never, initContainers: [{name: x, image: i}],"
                                + " containers: [{name: a, image: i}]}");
        scenario.workerState = scenario.workerState.unmounted();
        scenario.sandbox(true).exited("x", 2);
        assertThat(scenario.decide().actions())
                .containsExactly(new PodAction.RemoveSandbox("box0"));
        var last = scenario.noSandbox().decide();
        assertThat(last.status().text("phase")).isEqualTo("Failed");
        assertThat(terminated(last, "a").text("reason")).isEqualTo("ContainerStatusUnknown");
    }

    @Test
    void sidecarsStopAfterTheMainContainersInReverseOrder() {
        var scenario =
                new PodScenario(
                                "{restartPolicy: Never, initContainers: ["
                                        + "{name: s, image: i, restartPolicy: Always},"
                                        + "{name: t, image: i, restartPolicy: Always}],"
                                        + " containers: [{name: a, image: i}]}")
                        .sandbox(true)
                        .running("s")
                        .running("t")
                        .exited("a", 0);
        assertThat(scenario.decide().actions()).containsExactly(stop("t0", "t", 30));
        assertThat(scenario.exited("t", 143).decide().actions())
                .containsExactly(stop("s0", "s", 30));
        scenario.workerState = scenario.workerState.unmounted();
        scenario.exited("s", 143).decide();
        assertThat(scenario.noSandbox().decide().status().text("phase")).isEqualTo("Succeeded");
    }

    @Test
    void aPodReleasesItsResourcesBeforeItsFinalPhase() {
        var scenario = new PodScenario(NEVER).sandbox(true).exited("a", 0).holdingClaims(true);
        var first = scenario.decide();
        assertThat(first.actions()).containsExactly(new PodAction.RemoveSandbox("box0"));
        assertThat(first.status().text("phase")).isEqualTo("Running");
        assertThat(terminated(first, "a").number("exitCode")).hasValue(0);
        scenario.noSandbox();
        assertThat(scenario.decide().actions()).containsExactly(new PodAction.Unprepare());
        assertThat(scenario.decide().status().text("phase")).isEqualTo("Running");
        scenario.holdingClaims(false);
        assertThat(scenario.decide().actions()).containsExactly(new PodAction.Unmount());
        scenario.workerState = scenario.workerState.unmounted();
        var last = scenario.decide();
        assertThat(last.actions()).isEmpty();
        assertThat(last.status().text("phase")).isEqualTo("Succeeded");
        assertThat(conditionTree(last, "Ready").text("reason")).isEqualTo("PodCompleted");
        assertThat(scenario.decide().status()).isEqualTo(last.status());
    }

    @Test
    void unprepareIsRetried() {
        var scenario = new PodScenario(NEVER).sandbox(true).exited("a", 0).holdingClaims(true);
        scenario.decide();
        scenario.noSandbox();
        scenario.workerState = scenario.workerState.failed("x", "driver is away", START);
        assertThat(scenario.decide().actions()).isEmpty();
        assertThat(scenario.later(Duration.ofSeconds(1)).decide().actions())
                .containsExactly(new PodAction.Unprepare());
    }

    @Test
    void aDeletedPodIsDeletedLast() {
        var scenario =
                new PodScenario(ONE)
                        .metadata(
                                "{deletionTimestamp: '2026-01-01T00:00:30Z',"
                                        + " deletionGracePeriodSeconds: 30}")
                        .sandbox(true)
                        .running("a");
        assertThat(scenario.decide().actions()).containsExactly(stop("a0", "a", 30));
        scenario.stopping("a0", START.plusSeconds(30));
        assertThat(scenario.decide().actions()).isEmpty();
        assertThat(scenario.exited("a", 0, 143, START.plusSeconds(1)).decide().actions())
                .containsExactly(new PodAction.RemoveSandbox("box0"));
        scenario.noSandbox().decide();
        scenario.workerState = scenario.workerState.unmounted();
        var last = scenario.decide();
        assertThat(last.actions()).containsExactly(new PodAction.Delete());
        assertThat(last.status().text("phase")).isEqualTo("Failed");
    }

    @Test
    void aShorterGracePeriodIsHonoured() {
        var scenario = new PodScenario(ONE).sandbox(true).running("a");
        scenario.metadata(
                "{deletionTimestamp: '2026-01-01T00:00:30Z', deletionGracePeriodSeconds: 30}");
        scenario.decide();
        scenario.stopping("a0", START.plusSeconds(30));
        scenario.metadata(
                "{deletionTimestamp: '2026-01-01T00:00:05Z', deletionGracePeriodSeconds: 5}");
        assertThat(scenario.decide().actions()).containsExactly(stop("a0", "a", 5));
    }

    @Test
    void aPodThatNeverStartedFailsWhenItIsDeleted() {
        var scenario =
                new PodScenario(ONE)
                        .metadata(
                                "{deletionTimestamp: '2026-01-01T00:00:30Z',"
                                        + " deletionGracePeriodSeconds: 30}");
        scenario.workerState = scenario.workerState.unmounted();
        var decision = scenario.decide();
        assertThat(decision.actions()).containsExactly(new PodAction.Delete());
        assertThat(decision.status().text("phase")).isEqualTo("Failed");
    }

    @Test
    void onePodIsNotDeletedTwice() {
        var scenario =
                new PodScenario(ONE)
                        .metadata(
                                "{deletionTimestamp: '2026-01-01T00:00:00Z',"
                                        + " deletionGracePeriodSeconds: 0, finalizers: [x]}");
        scenario.workerState = scenario.workerState.unmounted();
        assertThat(scenario.decide().actions()).isEmpty();
    }

    @Test
    void anOrphanedPodIsTerminatedAndForgotten() {
        var scenario = new PodScenario(ONE).sandbox(true).running("a").holdingClaims(true).gone();
        assertThat(scenario.decide().actions()).containsExactly(stop("a0", "a", 30));
        scenario.exited("a", 143);
        assertThat(scenario.decide().actions())
                .containsExactly(new PodAction.RemoveSandbox("box0"));
        assertThat(scenario.noSandbox().decide().actions())
                .containsExactly(new PodAction.Unprepare());
        scenario.holdingClaims(false);
        scenario.decide();
        scenario.workerState = scenario.workerState.unmounted();
        assertThat(scenario.decide().actions()).containsExactly(new PodAction.Forget());
    }

    @Test
    void aPodThatExceedsItsActiveDeadlineFails() {
        var scenario =
                new PodScenario("{activeDeadlineSeconds: 5, containers: [{name: a, image: i}]}")
                        .sandbox(true)
                        .running("a");
        scenario.decide();
        assertThat(scenario.decide().requeueAt()).contains(START.plusSeconds(5));
        assertThat(scenario.later(Duration.ofSeconds(5)).decide().actions()).hasSize(1);
        scenario.exited("a", 143).decide();
        scenario.workerState = scenario.workerState.unmounted();
        var last = scenario.noSandbox().decide();
        assertThat(last.status().text("phase")).isEqualTo("Failed");
        assertThat(last.status().text("reason")).isEqualTo("DeadlineExceeded");
    }

    @Test
    void aContainerThatTheRuntimeLostHasTerminated() {
        var status =
                "{phase: Running, containerStatuses: [{name: a, restartCount: 2,"
                        + " state: {running: {startedAt: '2026-01-01T00:00:00Z'}}}]}";
        var again = new PodScenario(ONE).status(status).decide();
        assertThat(again.actions()).contains(new PodAction.CreateSandbox(3));
        assertThat(terminated(again, "a").number("exitCode")).hasValue(137);
        var never = new PodScenario(NEVER).status(status);
        never.workerState = never.workerState.unmounted();
        assertThat(never.decide().status().text("phase")).isEqualTo("Failed");
    }

    @Test
    void succeededContainersAreNotRestartedWhenTheSandboxIsLost() {
        var scenario =
                new PodScenario(NEVER)
                        .status(
                                "{phase: Running, containerStatuses: [{name: a, restartCount: 0,"
                                        + " state: {terminated: {exitCode: 0}}}]}");
        scenario.workerState = scenario.workerState.unmounted();
        var decision = scenario.decide();
        assertThat(decision.actions()).isEmpty();
        assertThat(decision.status().text("phase")).isEqualTo("Succeeded");
    }

    @Test
    void aFinishedPodStaysFinished() {
        var scenario = new PodScenario(ONE).status("{phase: Failed, reason: Evicted}");
        scenario.workerState = scenario.workerState.unmounted();
        var decision = scenario.decide();
        assertThat(decision.actions()).isEmpty();
        assertThat(decision.status().text("reason")).isEqualTo("Evicted");
    }
}
