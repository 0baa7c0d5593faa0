package dev.berth.node.pod;

import static dev.berth.node.pod.DecisionFields.condition;
import static dev.berth.node.pod.DecisionFields.conditionTree;
import static dev.berth.node.pod.DecisionFields.container;
import static dev.berth.node.pod.DecisionFields.waiting;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.node.runtime.ContainerState.Phase;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PodDecisionTest {

    private static final String ONE = "{containers: [{name: a, image: i}]}";
    private static final String WITH_INIT =
            "{initContainers: [{name: x, image: i}], containers: [{name: a, image: i}]}";
    private static final Instant START = PodScenario.START;

    @Test
    void volumesAndClaimsComeBeforeTheSandbox() {
        var decision = new PodScenario(ONE).decide();
        assertThat(decision.actions())
                .containsExactly(
                        new PodAction.Mount(),
                        new PodAction.Prepare(),
                        new PodAction.CreateSandbox(0));
        assertThat(decision.status().text("phase")).isEqualTo("Pending");
        assertThat(decision.status().text("startTime")).isEqualTo("2026-01-01T00:00:00Z");
        assertThat(waiting(decision, "a")).isEqualTo("ContainerCreating");
        assertThat(condition(decision, "PodReadyToStartContainers")).isEqualTo("False");
    }

    @Test
    void aFailedPodActionIsRetriedWithBackoff() {
        var scenario = new PodScenario(ONE);
        scenario.decide();
        scenario.workerState = scenario.workerState.failed("FailedMount", "no such volume", START);
        var decision = scenario.decide();
        assertThat(decision.actions()).isEmpty();
        assertThat(decision.requeueAt()).contains(START.plusSeconds(1));
        assertThat(container(decision, "a").objectOrEmpty("state").objectOrEmpty("waiting"))
                .isEqualTo(
                        PodScenario.tree("{reason: ContainerCreating, message: no such volume}"));
        assertThat(scenario.later(Duration.ofSeconds(1)).decide().actions()).isNotEmpty();
    }

    @Test
    void containersStartInTheSandbox() {
        var scenario = new PodScenario("{containers: [{name: a, image: i}, {name: b, image: i}]}");
        scenario.workerState = scenario.workerState.mounted();
        assertThat(scenario.sandbox(true).decide().actions())
                .containsExactly(new PodAction.Start("a", 0), new PodAction.Start("b", 0));
    }

    @Test
    void volumesAreMountedAgainAfterARestartOfTheAgent() {
        assertThat(new PodScenario(ONE).sandbox(true).decide().actions())
                .containsExactly(new PodAction.Mount(), new PodAction.Start("a", 0));
    }

    @Test
    void initContainersRunInOrder() {
        var scenario =
                new PodScenario(
                        "{initContainers: [{name: x, image: i}, {name: w, image: i}],"
                                + " containers: [{name: a, image: i}]}");
        scenario.workerState = scenario.workerState.mounted();
        scenario.sandbox(true);
        assertThat(scenario.decide().actions()).containsExactly(new PodAction.Start("x", 0));
        var running = scenario.running("x").decide();
        assertThat(running.actions()).isEmpty();
        assertThat(waiting(running, "a")).isEqualTo("PodInitializing");
        assertThat(condition(running, "Initialized")).isEqualTo("False");
        assertThat(scenario.exited("x", 0).decide().actions())
                .containsExactly(new PodAction.Start("w", 0));
        var done = scenario.exited("w", 0).decide();
        assertThat(done.actions()).containsExactly(new PodAction.Start("a", 0));
        assertThat(condition(done, "Initialized")).isEqualTo("True");
        assertThat(done.status().objects("initContainerStatuses"))
                .allMatch(one -> one.flag("ready").orElse(false));
    }

    @Test
    void aFailedInitContainerIsRestartedUnlessThePolicyIsNever() {
        var scenario = new PodScenario(WITH_INIT);
        scenario.workerState = scenario.workerState.mounted();
        assertThat(scenario.sandbox(true).exited("x", 2).decide().actions())
                .containsExactly(new PodAction.Start("x", 1));
    }

    @Test
    void initContainersAreNotRunAgainAfterMainContainersStarted() {
        var scenario = new PodScenario(WITH_INIT).sandbox(true).running("a");
        assertThat(scenario.decide().actions()).isEmpty();
        assertThat(condition(scenario.decide(), "Initialized")).isEqualTo("True");
    }

    @Test
    void mainContainersWaitForSidecarsToStart() {
        var scenario =
                new PodScenario(
                        "{initContainers: [{name: s, image: i, restartPolicy: Always,"
                                + " startupProbe: {exec: {command: [x]}}}],"
                                + " containers: [{name: a, image: i}]}");
        scenario.workerState = scenario.workerState.mounted();
        scenario.sandbox(true).running("s");
        assertThat(scenario.decide().actions()).isEmpty();
        assertThat(scenario.probeResults("s0", true, true).decide().actions())
                .containsExactly(new PodAction.Start("a", 0));
    }

    @Test
    void aTerminatedSidecarIsRestarted() {
        var scenario =
                new PodScenario(
                        "{restartPolicy: Never, initContainers: [{name: s, image: i,"
                                + " restartPolicy: Always}], containers: [{name: a, image: i}]}");
        scenario.workerState = scenario.workerState.mounted();
        assertThat(scenario.sandbox(true).running("a").exited("s", 0).decide().actions())
                .containsExactly(new PodAction.Start("s", 1));
    }

    @Test
    void restartPoliciesDecideOnRestarts() {
        assertThat(restarts("Always", 0)).isTrue();
        assertThat(restarts("Always", 1)).isTrue();
        assertThat(restarts("OnFailure", 0)).isFalse();
        assertThat(restarts("OnFailure", 1)).isTrue();
        assertThat(restarts("Never", 0)).isFalse();
        assertThat(restarts("Never", 1)).isFalse();
    }

    private static boolean restarts(String policy, int code) {
        var scenario =
                new PodScenario(
                        "{restartPolicy: %s, containers: [{name: a, image: i}]}".formatted(policy));
        scenario.workerState = scenario.workerState.mounted();
        return scenario.sandbox(true)
                .exited("a", code)
                .decide()
                .actions()
                .contains(new PodAction.Start("a", 1));
    }

    @Test
    void crashLoopBackoffGrows() {
        var scenario = new PodScenario(ONE).sandbox(true);
        scenario.workerState = scenario.workerState.mounted();
        assertThat(scenario.exited("a", 0, 1, START).decide().actions())
                .containsExactly(new PodAction.Start("a", 1));
        scenario.exited("a", 1, 1, START);
        var waits = scenario.decide();
        assertThat(waiting(waits, "a")).isEqualTo("CrashLoopBackOff");
        assertThat(waits.requeueAt()).contains(START.plusSeconds(10));
        assertThat(waits.actions())
                .containsExactly(
                        new PodAction.RecordEvent(
                                "a",
                                true,
                                "BackOff",
                                "Back-off restarting failed container a in pod p_ns(u)"));
        assertThat(scenario.decide().actions()).isEmpty();
        scenario.later(Duration.ofSeconds(10));
        assertThat(scenario.decide().actions())
                .containsExactly(new PodAction.RemoveContainer("a0"), new PodAction.Start("a", 2));
        assertThat(scenario.workerState.backoff("a").orElseThrow().delay())
                .isEqualTo(Duration.ofSeconds(20));
    }

    @Test
    void crashLoopBackoffIsBoundedAndReset() {
        var old = Optional.of(new CrashLoopBackoff(5, START));
        assertThat(CrashLoopBackoff.next(old, START, START).delay())
                .isEqualTo(Duration.ofMinutes(5));
        var longAfter = START.plus(Duration.ofMinutes(11));
        assertThat(CrashLoopBackoff.until(old, longAfter, longAfter)).isEmpty();
        assertThat(CrashLoopBackoff.next(old, longAfter, longAfter).delay())
                .isEqualTo(Duration.ofSeconds(10));
    }

    @Test
    void lastStateHasTheLastTermination() {
        var scenario = new PodScenario(ONE).sandbox(true).exited("a", 0, 7, START);
        var decision = scenario.container("a", 1, new Phase.Running(START)).decide();
        var status = container(decision, "a");
        assertThat(status.number("restartCount")).hasValue(1);
        assertThat(status.objectOrEmpty("lastState").objectOrEmpty("terminated").number("exitCode"))
                .hasValue(7);
        assertThat(status.text("containerID")).isEqualTo("oci://a1");
        assertThat(status.objectOrEmpty("state").has("running")).isTrue();
    }

    @Test
    void readinessFollowsTheProbes() {
        var scenario =
                new PodScenario(
                                "{containers: [{name: a, image: i,"
                                        + " readinessProbe: {exec: {command: [x]}}}]}")
                        .sandbox(true)
                        .running("a");
        var before = scenario.decide();
        assertThat(before.status().text("phase")).isEqualTo("Running");
        assertThat(condition(before, "Ready")).isEqualTo("False");
        var after = scenario.later(Duration.ofSeconds(5)).probeResults("a0", true, true).decide();
        assertThat(condition(after, "Ready")).isEqualTo("True");
        assertThat(conditionTree(after, "Ready").text("lastTransitionTime"))
                .isEqualTo("2026-01-01T00:00:05Z");
        var same = scenario.later(Duration.ofSeconds(5)).decide();
        assertThat(same.status()).isEqualTo(after.status());
    }

    @Test
    void readinessGatesDependOnConditionsOfOthers() {
        var scenario =
                new PodScenario(
                                "{readinessGates: [{conditionType: x}],"
                                        + " containers: [{name: a, image: i}]}")
                        .sandbox(true)
                        .running("a");
        assertThat(condition(scenario.decide(), "Ready")).isEqualTo("False");
        scenario.status("{conditions: [{type: x, status: 'True'}]}");
        assertThat(condition(scenario.decide(), "Ready")).isEqualTo("True");
    }

    @Test
    void aContainerThatFailsItsLivenessProbeIsStoppedOnce() {
        var scenario =
                new PodScenario(
                                "{containers: [{name: a, image: i, livenessProbe: {exec:"
                                        + " {command: [x]}, terminationGracePeriodSeconds: 7}}]}")
                        .sandbox(true)
                        .running("a")
                        .probeFailure("a0", Probe.Purpose.LIVENESS);
        assertThat(scenario.decide().actions())
                .containsExactly(
                        new PodAction.Stop(
                                "a0",
                                "a",
                                START.plusSeconds(7),
                                "Container a failed liveness probe, will be restarted",
                                Optional.empty()));
        assertThat(scenario.stopping("a0", START.plusSeconds(7)).decide().actions()).isEmpty();
    }

    @Test
    void aTerminatedSandboxIsReplaced() {
        var scenario = new PodScenario(ONE).sandbox(false).running("a");
        assertThat(scenario.decide().actions())
                .containsExactly(new PodAction.RemoveSandbox("box0"));
        assertThat(scenario.noSandbox().decide().actions())
                .contains(new PodAction.CreateSandbox(1));
    }

    @Test
    void aContainerThatWasCreatedAndNotStartedIsRecreated() {
        var scenario = new PodScenario(ONE).sandbox(true).container("a", 0, new Phase.Created());
        scenario.workerState = scenario.workerState.mounted();
        assertThat(scenario.decide().actions())
                .containsExactly(new PodAction.RemoveContainer("a0"), new PodAction.Start("a", 0));
    }

    @Test
    void aContainerThatCannotStartWaits() {
        var scenario = new PodScenario(ONE).sandbox(true);
        scenario.workerState =
                scenario.workerState.mounted().failed("a", "ImagePullBackOff", "not here", START);
        var decision = scenario.decide();
        assertThat(decision.actions()).isEmpty();
        assertThat(waiting(decision, "a")).isEqualTo("ImagePullBackOff");
        assertThat(decision.status().text("phase")).isEqualTo("Pending");
    }

    @Test
    void addressesAndFieldsOfOtherWritersAreKept() {
        var scenario =
                new PodScenario(ONE)
                        .status(
                                "{qosClass: BestEffort, conditions: [{type: PodScheduled,"
                                        + " status: 'True'}]}")
                        .sandbox(true)
                        .running("a");
        var status = scenario.decide().status();
        assertThat(status.text("podIP")).isEqualTo("10.0.0.1");
        assertThat(status.text("hostIP")).isEqualTo("192.0.2.1");
        assertThat(status.text("qosClass")).isEqualTo("BestEffort");
        assertThat(status.objects("conditions").getFirst().text("type")).isEqualTo("PodScheduled");
    }
}
