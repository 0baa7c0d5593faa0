package dev.berth.model.event;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.event.EventCorrelator.Correlation;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/// The rules by which events become objects, with the limits of client-go.
class EventCorrelatorTest {

    private static final Instant START = Instant.parse("2026-11-18T12:00:00Z");
    private static final EventSource CONTROLLER = EventSource.controller("replicaset-controller");
    private static final EventSource SCHEDULER =
            EventSource.scheduler("default-scheduler", "default-scheduler-host");

    private final EventCorrelator correlator = new EventCorrelator();
    private Instant now = START;

    private static InvolvedObject object(String name) {
        return new InvolvedObject("apps/v1", "ReplicaSet", "default", name, name + "-uid", "7", "");
    }

    private static Event failed(String message) {
        return Event.warning(CONTROLLER, object("web"), "FailedCreate", message);
    }

    private static Event unschedulable(String version, String note) {
        var pod = new InvolvedObject("v1", "Pod", "default", "p", "p-uid", version, "");
        return new Event(SCHEDULER, pod, EventType.WARNING, "FailedScheduling", "Scheduling", note);
    }

    private CorrelatedEvent write(Event event) {
        return ((Correlation.Write) correlator.correlate(event, now)).event();
    }

    private void advance(Duration time) {
        now = now.plus(time);
    }

    @Test
    void equalEventsIncreaseTheCountOfOneObject() {
        var first = write(failed("no quota"));
        advance(Duration.ofSeconds(5));
        var second = write(failed("no quota"));
        advance(Duration.ofHours(1));
        var third = write(failed("no quota"));

        assertThat(first.count()).isEqualTo(1);
        assertThat(second)
                .isEqualTo(
                        new CorrelatedEvent(
                                failed("no quota"),
                                first.name(),
                                START,
                                START.plusSeconds(5),
                                2,
                                false));
        assertThat(third.count()).isEqualTo(3);
        assertThat(third.first()).isEqualTo(START);
        assertThat(third.last()).isEqualTo(now);
    }

    @Test
    void equalEventsMayBeAboutOtherVersionsOfTheObject() {
        var pod = new InvolvedObject("v1", "Pod", "default", "p", "p-uid", "1", "");
        var later = new InvolvedObject("v1", "Pod", "default", "p", "p-uid", "2", "");
        write(Event.normal(CONTROLLER, pod, "Killing", "stopping"));
        assertThat(write(Event.normal(CONTROLLER, later, "Killing", "stopping")).count())
                .isEqualTo(2);
    }

    @Test
    void containersOfAPodAreCountedSeparately() {
        var pod = new InvolvedObject("v1", "Pod", "default", "p", "p-uid", "1", "");
        write(Event.normal(CONTROLLER, pod.container("a"), "Started", "Container started"));
        var other =
                write(Event.normal(CONTROLLER, pod.container("b"), "Started", "Container started"));
        assertThat(other.count()).isEqualTo(1);
        assertThat(other.event().object().fieldPath()).isEqualTo("spec.containers{b}");
    }

    @Test
    void nameIsTheObjectWithTheTimeInNanoseconds() {
        var names = new TreeSet<String>();
        for (var message : List.of("a", "b", "c")) {
            names.add(write(failed(message)).name());
        }
        var nanos = START.getEpochSecond() * 1_000_000_000L;
        assertThat(names)
                .containsExactly(
                        "web." + Long.toHexString(nanos),
                        "web." + Long.toHexString(nanos + 1),
                        "web." + Long.toHexString(nanos + 2));
    }

    @Test
    void longNamesOfObjectsAreShortened() {
        var name = "a".repeat(230) + "-----" + "-b".repeat(9);
        var event = Event.warning(CONTROLLER, object(name), "FailedCreate", "x");
        assertThat(write(event).name()).startsWith("a".repeat(230) + ".").hasSize(230 + 17);
    }

    @Test
    void tenthDistinctMessageIsCombined() {
        for (var i = 1; i <= 9; i++) {
            assertThat(write(failed("pod " + i)).event().message()).isEqualTo("pod " + i);
        }
        var combined = write(failed("pod 10"));
        assertThat(combined.count()).isEqualTo(1);
        assertThat(combined.event().message()).isEqualTo("(combined from similar events): pod 10");

        var next = write(failed("pod 11"));
        assertThat(next.name()).isEqualTo(combined.name());
        assertThat(next.count()).isEqualTo(2);
        assertThat(next.hasNewMessage()).isTrue();
        assertThat(next.event().message()).isEqualTo("(combined from similar events): pod 11");
    }

    @Test
    void firstNineMessagesKeepTheirEvents() {
        for (var i = 1; i <= 12; i++) {
            write(failed("pod " + i));
        }
        var known = write(failed("pod 3"));
        assertThat(known.event().message()).isEqualTo("pod 3");
        assertThat(known.count()).isEqualTo(2);
    }

    @Test
    void otherReasonsTypesObjectsAndSourcesAreNotSimilar() {
        for (var i = 1; i <= 9; i++) {
            write(failed("pod " + i));
        }
        var others =
                List.of(
                        Event.warning(CONTROLLER, object("web"), "FailedDelete", "x"),
                        Event.normal(CONTROLLER, object("web"), "FailedCreate", "x"),
                        Event.warning(CONTROLLER, object("db"), "FailedCreate", "x"),
                        Event.warning(
                                EventSource.controller("other"),
                                object("web"),
                                "FailedCreate",
                                "x"));
        for (var other : others) {
            assertThat(write(other).event().message()).isEqualTo("x");
        }
    }

    @Test
    void tenMinutesOfSilenceEndTheCombination() {
        for (var i = 1; i <= 10; i++) {
            write(failed("pod " + i));
        }
        advance(Duration.ofMinutes(10));
        assertThat(write(failed("pod 11")).event().message()).startsWith("(combined");
        advance(Duration.ofMinutes(10).plusNanos(1));
        assertThat(write(failed("pod 12")).event().message()).isEqualTo("pod 12");
    }

    @Test
    void spamFilterDropsTheTwentySixthWriteAndKeepsCounting() {
        for (var i = 1; i <= 25; i++) {
            assertThat(write(failed("no quota")).count()).isEqualTo(i);
        }
        assertThat(correlator.correlate(failed("no quota"), now))
                .isInstanceOf(Correlation.Filtered.class);
        advance(Duration.ofSeconds(299));
        assertThat(correlator.correlate(failed("no quota"), now))
                .isInstanceOf(Correlation.Filtered.class);
        advance(Duration.ofSeconds(1));
        assertThat(write(failed("no quota")).count()).isEqualTo(28);
        assertThat(correlator.correlate(failed("no quota"), now))
                .isInstanceOf(Correlation.Filtered.class);
    }

    @Test
    void spamFilterCountsEachTypeOfAnObject() {
        for (var i = 1; i <= 26; i++) {
            correlator.correlate(failed("no quota"), now);
        }
        var normal = Event.normal(CONTROLLER, object("web"), "SuccessfulCreate", "Created pod: a");
        assertThat(correlator.correlate(normal, now)).isInstanceOf(Correlation.Write.class);
        var other = Event.warning(CONTROLLER, object("db"), "FailedCreate", "no quota");
        assertThat(correlator.correlate(other, now)).isInstanceOf(Correlation.Write.class);
    }

    @Test
    void tokensDoNotGrowBeyondTheBurst() {
        write(failed("no quota"));
        advance(Duration.ofDays(30));
        for (var i = 1; i <= 25; i++) {
            write(failed("no quota"));
        }
        assertThat(correlator.correlate(failed("no quota"), now))
                .isInstanceOf(Correlation.Filtered.class);
    }

    @Test
    void quotaErrorsWithGeneratedNamesBecomeTenObjects() {
        var names = new TreeSet<String>();
        for (var i = 0; i < 15; i++) {
            names.add(write(failed("claim c-" + i + " exceeded quota")).name());
            advance(Duration.ofSeconds(2));
        }
        assertThat(names).hasSize(10);
    }

    @Test
    void leastRecentlyUsedEventIsForgotten() {
        write(failed("first"));
        for (var i = 0; i < RecentEntries.MAX_ENTRIES; i++) {
            write(Event.normal(CONTROLLER, object("o" + i), "SuccessfulCreate", "x"));
        }
        assertThat(write(failed("first")).count()).isEqualTo(1);
    }

    @Test
    void secondOccurrenceOfASchedulerEventIsASeriesAtOnce() {
        var first = write(unschedulable("1", "0/1 nodes are available"));
        advance(Duration.ofSeconds(10));
        var second = write(unschedulable("1", "0/2 nodes are available"));

        assertThat(second.name()).isEqualTo(first.name());
        assertThat(second.count()).isEqualTo(2);
        assertThat(second.event().message()).isEqualTo("0/1 nodes are available");
        assertThat(correlator.nextDue()).isEmpty();
    }

    @Test
    void furtherOccurrencesAreWrittenAfterSixMinutesOfSilence() {
        var first = write(unschedulable("1", "no"));
        write(unschedulable("1", "no"));
        for (var i = 0; i < 3; i++) {
            advance(Duration.ofMinutes(1));
            assertThat(correlator.correlate(unschedulable("1", "no"), now))
                    .isInstanceOf(Correlation.Deferred.class);
        }
        assertThat(correlator.nextDue()).contains(now.plus(Duration.ofMinutes(6)));
        advance(Duration.ofMinutes(6).minusNanos(1));
        assertThat(correlator.due(now)).isEmpty();
        advance(Duration.ofNanos(1));
        assertThat(correlator.due(now))
                .singleElement()
                .satisfies(series -> {
                    assertThat(series.name()).isEqualTo(first.name());
                    assertThat(series.count()).isEqualTo(5);
                });
        assertThat(correlator.due(now)).isEmpty();
        assertThat(correlator.nextDue()).isEmpty();

        assertThat(write(unschedulable("1", "no")).name()).isNotEqualTo(first.name());
    }

    @Test
    void longSeriesIsWrittenEveryThirtyMinutes() {
        write(unschedulable("1", "no"));
        write(unschedulable("1", "no"));
        var counts = new ArrayList<Long>();
        for (var minute = 1; minute <= 61; minute++) {
            advance(Duration.ofMinutes(1));
            correlator.correlate(unschedulable("1", "no"), now);
            correlator.due(now).forEach(series -> counts.add(series.count()));
        }
        assertThat(counts).containsExactly(32L, 62L);
    }

    @Test
    void schedulerEventOfAChangedPodIsANewEvent() {
        var first = write(unschedulable("1", "no devices"));
        var second = write(unschedulable("2", "no memory"));
        assertThat(second.name()).isNotEqualTo(first.name());
        assertThat(second.event().message()).isEqualTo("no memory");
    }

    @Test
    void manySchedulerEventsOfOnePodAreCombinedToo() {
        var names = new TreeSet<String>();
        for (var i = 1; i <= 20; i++) {
            if (correlator.correlate(unschedulable("" + i, "note " + i), now)
                    instanceof Correlation.Write(var event)) {
                names.add(event.name());
            }
        }
        assertThat(names).hasSize(10);
    }

    @Test
    void messagesHaveAtMost1024Bytes() {
        assertThat(failed("x".repeat(1_024)).message()).hasSize(1_024);
        assertThat(failed("x".repeat(1_025)).message()).isEqualTo("x".repeat(1_021) + "…");
        for (var text : List.of("é", "…", "😀", "aé…😀")) {
            var message = failed(text.repeat(600)).message();
            assertThat(message.getBytes(StandardCharsets.UTF_8))
                    .hasSizeBetween(1_018, Event.MAX_BYTES);
            assertThat(message).endsWith("…");
        }
    }

    @Test
    void clusterScopedObjectsHaveTheirEventsInTheNamespaceDefault() {
        var node = new InvolvedObject("v1", "Node", "", "n", "n-uid", "1", "");
        assertThat(Event.normal(CONTROLLER, node, "NodeNotReady", "x").namespace())
                .isEqualTo("default");
    }
}
