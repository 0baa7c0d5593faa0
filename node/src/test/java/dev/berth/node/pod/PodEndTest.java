package dev.berth.node.pod;

import static dev.berth.node.pod.Said.conditionTree;
import static dev.berth.node.pod.Said.stop;
import static dev.berth.node.pod.Said.terminated;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/// How pods end.
class PodEndTest {

    private static final String ONE = "{containers: [{name: a, image: i}]}";
    private static final String NEVER = "{restartPolicy: Never, containers: [{name: a, image: i}]}";
    private static final Instant START = Story.START;

    @Test
    void anInitContainerThatFailsEndsAPodThatNeverRestarts() {
        var story =
                new Story(
                        "{restartPolicy: Never, initContainers: [{name: x, image: i}],"
                                + " containers: [{name: a, image: i}]}");
        story.memory = story.memory.takenDown();
        story.sandbox(true).exited("x", 2);
        assertThat(story.decide().actions()).containsExactly(new PodAction.RemoveSandbox("box0"));
        var last = story.noSandbox().decide();
        assertThat(last.status().text("phase")).isEqualTo("Failed");
        assertThat(terminated(last, "a").text("reason")).isEqualTo("ContainerStatusUnknown");
    }

    @Test
    void sidecarsEndAfterTheMainContainersInReverse() {
        var story =
                new Story(
                                "{restartPolicy: Never, initContainers: ["
                                        + "{name: s, image: i, restartPolicy: Always},"
                                        + "{name: t, image: i, restartPolicy: Always}],"
                                        + " containers: [{name: a, image: i}]}")
                        .sandbox(true)
                        .running("s")
                        .running("t")
                        .exited("a", 0);
        assertThat(story.decide().actions()).containsExactly(stop("t0", "t", 30));
        assertThat(story.exited("t", 143).decide().actions()).containsExactly(stop("s0", "s", 30));
        story.memory = story.memory.takenDown();
        story.exited("s", 143).decide();
        assertThat(story.noSandbox().decide().status().text("phase")).isEqualTo("Succeeded");
    }

    @Test
    void aPodThatEndedGivesEverythingBackBeforeItSaysSo() {
        var story = new Story(NEVER).sandbox(true).exited("a", 0).holdingClaims(true);
        var first = story.decide();
        assertThat(first.actions()).containsExactly(new PodAction.RemoveSandbox("box0"));
        assertThat(first.status().text("phase")).isEqualTo("Running");
        assertThat(terminated(first, "a").number("exitCode")).hasValue(0);
        story.noSandbox();
        assertThat(story.decide().actions()).containsExactly(new PodAction.Unprepare());
        assertThat(story.decide().status().text("phase")).isEqualTo("Running");
        story.holdingClaims(false);
        assertThat(story.decide().actions()).containsExactly(new PodAction.TakeDown());
        story.memory = story.memory.takenDown();
        var last = story.decide();
        assertThat(last.actions()).isEmpty();
        assertThat(last.status().text("phase")).isEqualTo("Succeeded");
        assertThat(conditionTree(last, "Ready").text("reason")).isEqualTo("PodCompleted");
        assertThat(story.decide().status()).isEqualTo(last.status());
    }

    @Test
    void unpreparingIsTriedAgainLater() {
        var story = new Story(NEVER).sandbox(true).exited("a", 0).holdingClaims(true);
        story.decide();
        story.noSandbox();
        story.memory = story.memory.stumbled("x", "driver is away", START);
        assertThat(story.decide().actions()).isEmpty();
        assertThat(story.later(Duration.ofSeconds(1)).decide().actions())
                .containsExactly(new PodAction.Unprepare());
    }

    @Test
    void aDeletedPodIsDeletedLast() {
        var story =
                new Story(ONE)
                        .metadata(
                                "{deletionTimestamp: '2026-01-01T00:00:30Z',"
                                        + " deletionGracePeriodSeconds: 30}")
                        .sandbox(true)
                        .running("a");
        assertThat(story.decide().actions()).containsExactly(stop("a0", "a", 30));
        story.stopping("a0", START.plusSeconds(30));
        assertThat(story.decide().actions()).isEmpty();
        assertThat(story.exited("a", 0, 143, START.plusSeconds(1)).decide().actions())
                .containsExactly(new PodAction.RemoveSandbox("box0"));
        story.noSandbox().decide();
        story.memory = story.memory.takenDown();
        var last = story.decide();
        assertThat(last.actions()).containsExactly(new PodAction.Delete());
        assertThat(last.status().text("phase")).isEqualTo("Failed");
    }

    @Test
    void aShorterGraceIsHeeded() {
        var story = new Story(ONE).sandbox(true).running("a");
        story.metadata(
                "{deletionTimestamp: '2026-01-01T00:00:30Z', deletionGracePeriodSeconds: 30}");
        story.decide();
        story.stopping("a0", START.plusSeconds(30));
        story.metadata(
                "{deletionTimestamp: '2026-01-01T00:00:05Z', deletionGracePeriodSeconds: 5}");
        assertThat(story.decide().actions()).containsExactly(stop("a0", "a", 5));
    }

    @Test
    void aPodThatNeverStartedFailsWhenItIsDeleted() {
        var story =
                new Story(ONE)
                        .metadata(
                                "{deletionTimestamp: '2026-01-01T00:00:30Z',"
                                        + " deletionGracePeriodSeconds: 30}");
        story.memory = story.memory.takenDown();
        var decision = story.decide();
        assertThat(decision.actions()).containsExactly(new PodAction.Delete());
        assertThat(decision.status().text("phase")).isEqualTo("Failed");
    }

    @Test
    void onePodIsNotDeletedTwice() {
        var story =
                new Story(ONE)
                        .metadata(
                                "{deletionTimestamp: '2026-01-01T00:00:00Z',"
                                        + " deletionGracePeriodSeconds: 0, finalizers: [x]}");
        story.memory = story.memory.takenDown();
        assertThat(story.decide().actions()).isEmpty();
    }

    @Test
    void aPodThatIsGoneIsEndedAndForgotten() {
        var story = new Story(ONE).sandbox(true).running("a").holdingClaims(true).gone();
        assertThat(story.decide().actions()).containsExactly(stop("a0", "a", 30));
        story.exited("a", 143);
        assertThat(story.decide().actions()).containsExactly(new PodAction.RemoveSandbox("box0"));
        assertThat(story.noSandbox().decide().actions()).containsExactly(new PodAction.Unprepare());
        story.holdingClaims(false);
        story.decide();
        story.memory = story.memory.takenDown();
        assertThat(story.decide().actions()).containsExactly(new PodAction.Forget());
    }

    @Test
    void aPodThatTakesTooLongFails() {
        var story =
                new Story("{activeDeadlineSeconds: 5, containers: [{name: a, image: i}]}")
                        .sandbox(true)
                        .running("a");
        story.decide();
        assertThat(story.decide().lookAgainAt()).contains(START.plusSeconds(5));
        assertThat(story.later(Duration.ofSeconds(5)).decide().actions()).hasSize(1);
        story.exited("a", 143).decide();
        story.memory = story.memory.takenDown();
        var last = story.noSandbox().decide();
        assertThat(last.status().text("phase")).isEqualTo("Failed");
        assertThat(last.status().text("reason")).isEqualTo("DeadlineExceeded");
    }

    @Test
    void whatRanAndIsNowhereHasEnded() {
        var status =
                "{phase: Running, containerStatuses: [{name: a, restartCount: 2,"
                        + " state: {running: {startedAt: '2026-01-01T00:00:00Z'}}}]}";
        var again = new Story(ONE).status(status).decide();
        assertThat(again.actions()).contains(new PodAction.CreateSandbox(3));
        assertThat(terminated(again, "a").number("exitCode")).hasValue(137);
        var never = new Story(NEVER).status(status);
        never.memory = never.memory.takenDown();
        assertThat(never.decide().status().text("phase")).isEqualTo("Failed");
    }

    @Test
    void whatEndedWellIsNotStartedAgainWhenItsSandboxIsGone() {
        var story =
                new Story(NEVER)
                        .status(
                                "{phase: Running, containerStatuses: [{name: a, restartCount: 0,"
                                        + " state: {terminated: {exitCode: 0}}}]}");
        story.memory = story.memory.takenDown();
        var decision = story.decide();
        assertThat(decision.actions()).isEmpty();
        assertThat(decision.status().text("phase")).isEqualTo("Succeeded");
    }

    @Test
    void aFinishedPodStaysFinished() {
        var story = new Story(ONE).status("{phase: Failed, reason: Evicted}");
        story.memory = story.memory.takenDown();
        var decision = story.decide();
        assertThat(decision.actions()).isEmpty();
        assertThat(decision.status().text("reason")).isEqualTo("Evicted");
    }
}
