package dev.berth.node.pod;

import static dev.berth.node.pod.Said.condition;
import static dev.berth.node.pod.Said.conditionTree;
import static dev.berth.node.pod.Said.container;
import static dev.berth.node.pod.Said.waiting;
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
    private static final Instant START = Story.START;

    @Test
    void volumesAndClaimsComeBeforeTheSandbox() {
        var decision = new Story(ONE).decide();
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
    void whatWentWrongForThePodIsTriedAgainLater() {
        var story = new Story(ONE);
        story.decide();
        story.memory = story.memory.stumbled("FailedMount", "no such volume", START);
        var decision = story.decide();
        assertThat(decision.actions()).isEmpty();
        assertThat(decision.lookAgainAt()).contains(START.plusSeconds(1));
        assertThat(container(decision, "a").objectOrEmpty("state").objectOrEmpty("waiting"))
                .isEqualTo(Story.tree("{reason: ContainerCreating, message: no such volume}"));
        assertThat(story.later(Duration.ofSeconds(1)).decide().actions()).isNotEmpty();
    }

    @Test
    void containersStartInTheSandbox() {
        var story = new Story("{containers: [{name: a, image: i}, {name: b, image: i}]}");
        story.memory = story.memory.mounted();
        assertThat(story.sandbox(true).decide().actions())
                .containsExactly(new PodAction.Start("a", 0), new PodAction.Start("b", 0));
    }

    @Test
    void volumesAreMadeSureOfAfterARestartOfTheAgent() {
        assertThat(new Story(ONE).sandbox(true).decide().actions())
                .containsExactly(new PodAction.Mount(), new PodAction.Start("a", 0));
    }

    @Test
    void initContainersGoOneAfterTheOther() {
        var story =
                new Story(
                        "{initContainers: [{name: x, image: i}, {name: w, image: i}],"
                                + " containers: [{name: a, image: i}]}");
        story.memory = story.memory.mounted();
        story.sandbox(true);
        assertThat(story.decide().actions()).containsExactly(new PodAction.Start("x", 0));
        var running = story.running("x").decide();
        assertThat(running.actions()).isEmpty();
        assertThat(waiting(running, "a")).isEqualTo("PodInitializing");
        assertThat(condition(running, "Initialized")).isEqualTo("False");
        assertThat(story.exited("x", 0).decide().actions())
                .containsExactly(new PodAction.Start("w", 0));
        var done = story.exited("w", 0).decide();
        assertThat(done.actions()).containsExactly(new PodAction.Start("a", 0));
        assertThat(condition(done, "Initialized")).isEqualTo("True");
        assertThat(done.status().objects("initContainerStatuses"))
                .allMatch(one -> one.flag("ready").orElse(false));
    }

    @Test
    void anInitContainerThatFailsIsTriedAgainOtherwise() {
        var story = new Story(WITH_INIT);
        story.memory = story.memory.mounted();
        assertThat(story.sandbox(true).exited("x", 2).decide().actions())
                .containsExactly(new PodAction.Start("x", 1));
    }

    @Test
    void initContainersDoNotRunAgainOnceMainOnesDid() {
        var story = new Story(WITH_INIT).sandbox(true).running("a");
        assertThat(story.decide().actions()).isEmpty();
        assertThat(condition(story.decide(), "Initialized")).isEqualTo("True");
    }

    @Test
    void sidecarsHaveToHaveStarted() {
        var story =
                new Story(
                        "{initContainers: [{name: s, image: i, restartPolicy: Always,"
                                + " startupProbe: {exec: {command: [x]}}}],"
                                + " containers: [{name: a, image: i}]}");
        story.memory = story.memory.mounted();
        story.sandbox(true).running("s");
        assertThat(story.decide().actions()).isEmpty();
        assertThat(story.fitness("s0", true, true).decide().actions())
                .containsExactly(new PodAction.Start("a", 0));
    }

    @Test
    void aSidecarIsStartedAgainWhileOthersRun() {
        var story =
                new Story(
                        "{restartPolicy: Never, initContainers: [{name: s, image: i,"
                                + " restartPolicy: Always}], containers: [{name: a, image: i}]}");
        story.memory = story.memory.mounted();
        assertThat(story.sandbox(true).running("a").exited("s", 0).decide().actions())
                .containsExactly(new PodAction.Start("s", 1));
    }

    @Test
    void policiesSayWhetherItIsStartedAgain() {
        assertThat(restarts("Always", 0)).isTrue();
        assertThat(restarts("Always", 1)).isTrue();
        assertThat(restarts("OnFailure", 0)).isFalse();
        assertThat(restarts("OnFailure", 1)).isTrue();
        assertThat(restarts("Never", 0)).isFalse();
        assertThat(restarts("Never", 1)).isFalse();
    }

    private static boolean restarts(String policy, int code) {
        var story =
                new Story(
                        "{restartPolicy: %s, containers: [{name: a, image: i}]}".formatted(policy));
        story.memory = story.memory.mounted();
        return story.sandbox(true)
                .exited("a", code)
                .decide()
                .actions()
                .contains(new PodAction.Start("a", 1));
    }

    @Test
    void whoKeepsEndingWaitsLongerEachTime() {
        var story = new Story(ONE).sandbox(true);
        story.memory = story.memory.mounted();
        assertThat(story.exited("a", 0, 1, START).decide().actions())
                .containsExactly(new PodAction.Start("a", 1));
        story.exited("a", 1, 1, START);
        var waits = story.decide();
        assertThat(waiting(waits, "a")).isEqualTo("CrashLoopBackOff");
        assertThat(waits.lookAgainAt()).contains(START.plusSeconds(10));
        assertThat(waits.actions())
                .containsExactly(
                        new PodAction.Tell(
                                true,
                                "BackOff",
                                "Back-off restarting failed container a in pod p_ns(u)"));
        assertThat(story.decide().actions()).isEmpty();
        story.later(Duration.ofSeconds(10));
        assertThat(story.decide().actions())
                .containsExactly(new PodAction.RemoveContainer("a0"), new PodAction.Start("a", 2));
        assertThat(story.memory.backoff("a").orElseThrow().delay())
                .isEqualTo(Duration.ofSeconds(20));
    }

    @Test
    void theWaitHasABoundAndIsForgotten() {
        var old = Optional.of(new CrashLoopBackoff(Duration.ofSeconds(200), START));
        assertThat(CrashLoopBackoff.next(old, START, START).delay())
                .isEqualTo(Duration.ofMinutes(5));
        var longAfter = START.plus(Duration.ofMinutes(11));
        assertThat(CrashLoopBackoff.until(old, longAfter, longAfter)).isEmpty();
        assertThat(CrashLoopBackoff.next(old, longAfter, longAfter).delay())
                .isEqualTo(Duration.ofSeconds(10));
    }

    @Test
    void theLastEndIsTold() {
        var story = new Story(ONE).sandbox(true).exited("a", 0, 7, START);
        var decision = story.container("a", 1, new Phase.Running(START)).decide();
        var status = container(decision, "a");
        assertThat(status.number("restartCount")).hasValue(1);
        assertThat(status.objectOrEmpty("lastState").objectOrEmpty("terminated").number("exitCode"))
                .hasValue(7);
        assertThat(status.text("containerID")).isEqualTo("oci://a1");
        assertThat(status.objectOrEmpty("state").has("running")).isTrue();
    }

    @Test
    void readinessFollowsTheProbes() {
        var story =
                new Story(
                                "{containers: [{name: a, image: i,"
                                        + " readinessProbe: {exec: {command: [x]}}}]}")
                        .sandbox(true)
                        .running("a");
        var before = story.decide();
        assertThat(before.status().text("phase")).isEqualTo("Running");
        assertThat(condition(before, "Ready")).isEqualTo("False");
        var after = story.later(Duration.ofSeconds(5)).fitness("a0", true, true).decide();
        assertThat(condition(after, "Ready")).isEqualTo("True");
        assertThat(conditionTree(after, "Ready").text("lastTransitionTime"))
                .isEqualTo("2026-01-01T00:00:05Z");
        var same = story.later(Duration.ofSeconds(5)).decide();
        assertThat(same.status()).isEqualTo(after.status());
    }

    @Test
    void readinessGatesAreOthersToOpen() {
        var story =
                new Story(
                                "{readinessGates: [{conditionType: x}],"
                                        + " containers: [{name: a, image: i}]}")
                        .sandbox(true)
                        .running("a");
        assertThat(condition(story.decide(), "Ready")).isEqualTo("False");
        story.status("{conditions: [{type: x, status: 'True'}]}");
        assertThat(condition(story.decide(), "Ready")).isEqualTo("True");
    }

    @Test
    void aSickContainerIsEndedOnce() {
        var story =
                new Story(
                                "{containers: [{name: a, image: i, livenessProbe: {exec:"
                                        + " {command: [x]}, terminationGracePeriodSeconds: 7}}]}")
                        .sandbox(true)
                        .running("a")
                        .sick("a0", Probe.Purpose.LIVENESS);
        assertThat(story.decide().actions())
                .containsExactly(
                        new PodAction.Stop(
                                "a0",
                                "a",
                                START.plusSeconds(7),
                                "Container a failed liveness probe, will be restarted",
                                Optional.empty()));
        assertThat(story.stopping("a0", START.plusSeconds(7)).decide().actions()).isEmpty();
    }

    @Test
    void aSandboxThatEndedIsReplaced() {
        var story = new Story(ONE).sandbox(false).running("a");
        assertThat(story.decide().actions()).containsExactly(new PodAction.RemoveSandbox("box0"));
        assertThat(story.noSandbox().decide().actions()).contains(new PodAction.CreateSandbox(1));
    }

    @Test
    void aContainerThatWasMadeAndNotStartedIsMadeAnew() {
        var story = new Story(ONE).sandbox(true).container("a", 0, new Phase.Created());
        story.memory = story.memory.mounted();
        assertThat(story.decide().actions())
                .containsExactly(new PodAction.RemoveContainer("a0"), new PodAction.Start("a", 0));
    }

    @Test
    void aContainerThatCannotStartWaits() {
        var story = new Story(ONE).sandbox(true);
        story.memory = story.memory.mounted().stumbled("a", "ImagePullBackOff", "not here", START);
        var decision = story.decide();
        assertThat(decision.actions()).isEmpty();
        assertThat(waiting(decision, "a")).isEqualTo("ImagePullBackOff");
        assertThat(decision.status().text("phase")).isEqualTo("Pending");
    }

    @Test
    void addressesAndWhatOthersSaidAreKept() {
        var story =
                new Story(ONE)
                        .status(
                                "{qosClass: BestEffort, conditions: [{type: PodScheduled,"
                                        + " status: 'True'}]}")
                        .sandbox(true)
                        .running("a");
        var status = story.decide().status();
        assertThat(status.text("podIP")).isEqualTo("10.0.0.1");
        assertThat(status.text("hostIP")).isEqualTo("192.0.2.1");
        assertThat(status.text("qosClass")).isEqualTo("BestEffort");
        assertThat(status.objects("conditions").getFirst().text("type")).isEqualTo("PodScheduled");
    }
}
